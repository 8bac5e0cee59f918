import { blake2b256, toHex } from "@vedette/crypto";
import { hashKey } from "@vedette/protocol";
import { kindOfKeys } from "../leaf/historyKey.js";
import type { EncodedLeaf } from "../leaf/Leaf.js";
import { corrupted } from "../leaf/LeafError.js";
import { diffStates } from "./diffStates.js";
import { HistoryError } from "./HistoryError.js";
import { RadixNode } from "./RadixNode.js";
import type { StateStore } from "./StateStore.js";
import type { WriteWithState } from "./WriteWithState.js";

/** A state from a sender that is not trusted. */
export interface GivenState {
  readonly root: Uint8Array;
  /** Root of an earlier state, all of which is in the store. */
  readonly base: Uint8Array;
  /** Encodings of what the state has beside the base, in any order. */
  readonly nodes: readonly Uint8Array[];
  readonly leaves: readonly Uint8Array[];
  /**
   * Whether what is in the store counts as given: where only this caller fills it, with what was checked by its hash,
   * and nothing is thrown away meanwhile.
   */
  readonly isStoreGiven?: boolean;
  /** How many nodes the state may have that its base has not; left out: any number. */
  readonly maxNodes?: number;
}

/**
 * Takes a state from what it has beside an earlier one. Each node and leaf is called by the hash of its bytes, and both
 * states are walked together from their roots: nothing may be missing of what is new, and nothing may be there that is
 * not. All of it is written in one transaction with the root, or nothing.
 *
 * @throws {HistoryError} `unknownRoot`: the base is not here; `nodeMissing`, `leafMissing`: it was not given;
 *   `needless`; `tooManyNodes`; `nodeMalformed`; {LeafError} `corrupted`
 * @spec 30 §5.1, §5.2, §5.5
 * @cost grows with what is given, and the nodes of the base beside it
 */
export function importStateDiff(states: StateStore, given: GivenState, also?: WriteWithState): void {
  const { root, base, nodes, leaves, isStoreGiven = false, maxNodes } = given;
  if (!states.hasRoot(base)) throw new HistoryError({ code: "unknownRoot", root: base });
  const givenNodes = new Map(nodes.map((bytes) => [hashKey(blake2b256(bytes)), bytes]));
  const givenLeaves = new Map(leaves.map((bytes) => [hashKey(states.form.leafHash(bytes)), bytes]));
  const decoded = new Map<string, RadixNode>();
  const reader = {
    node: (hash: Uint8Array): RadixNode => {
      const key = hashKey(hash);
      const known = decoded.get(key);
      if (known !== undefined) return known;
      const bytes = givenNodes.get(key);
      if (bytes === undefined) return states.node(hash);
      // A copy: a view would keep all that it came with.
      const node = new RadixNode(bytes.slice());
      decoded.set(key, node);
      return node;
    },
  };
  const found = diffStates(reader, root, base, maxNodes);
  // A piece that is in the store by chance may be removed later: only pieces of the base count as present.
  for (const { hash } of found.nodes)
    if (!givenNodes.delete(hashKey(hash)) && !isStoreGiven) throw new HistoryError({ code: "nodeMissing", hash });
  const newLeaves: EncodedLeaf[] = [];
  for (const [at, hash] of found.leaves.entries()) {
    const bytes = givenLeaves.get(hashKey(hash));
    if (bytes === undefined && !isStoreGiven) throw new HistoryError({ code: "leafMissing", hash });
    const leaf = bytes === undefined ? states.leaf(hash) : states.form.decodeLeaf(hash.slice(), bytes);
    // Where the hash does not cover it, a leaf may be given as another one than it is.
    if (states.form.uncoveredKind !== undefined && leaf.kind !== kindOfKeys(found.firstBytes[at]!))
      throw corrupted(`${toHex(hash)} holds ${leaf.kind} in another's place.`);
    if (bytes === undefined) continue;
    givenLeaves.delete(hashKey(hash));
    newLeaves.push({ leaf, bytes });
  }
  for (const bytes of givenNodes.values())
    throw new HistoryError({ code: "needless", kind: "node", hash: blake2b256(bytes) });
  for (const bytes of givenLeaves.values())
    throw new HistoryError({ code: "needless", kind: "leaf", hash: states.form.leafHash(bytes) });
  const newNodes = found.nodes.map(({ hash, ...others }) => ({ ...others, hash: hash.slice() }));
  states.commit({ root, newNodes, newLeaves, also });
}
