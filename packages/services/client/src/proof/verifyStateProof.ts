import { blake2b256, compareBytes, concatBytes, equalBytes } from "@vedette/crypto";
import { DecodeError, type Par } from "@vedette/terms";
import { blockStates } from "./blockStates.js";
import { followNodes, requireHash } from "./followNodes.js";
import type { StateItems } from "./leafItems.js";
import type { ProofForm } from "./ProofForm.js";
import { type BlockAnchor, readStateProof, type StateKind, type StateProof } from "./StateProof.js";
import { badForm, StateProofError } from "./StateProofError.js";

/** The trusted hash: 32 bytes. */
export type TrustedHash = { readonly root: Uint8Array } | { readonly blockHash: Uint8Array };

/** The request that a proof answers: the names in hashed form; for continuations, their order is free. */
export interface StateProofRequest {
  readonly kind: StateKind;
  readonly channels: readonly Uint8Array[];
}

/** The content that a proof shows. */
export interface ProvenState {
  /** The state root. */
  readonly root: Uint8Array;
  /** The block at which the proof begins, where a block is trusted. */
  readonly block: { readonly hash: Uint8Array; readonly number: bigint; readonly state: "post" | "pre" } | undefined;
  readonly channels: readonly Par[];
  /** Whether the state has an entry below the names; without one it holds nothing there. */
  readonly isPresent: boolean;
  readonly items: StateItems;
}

/**
 * Checks a proof from an untrusted source against the trusted hash alone.
 *
 * @param json     the parsed JSON of the proof
 * @param question the request; if `undefined`, the caller must check kind and names of the result
 * @param form     of the network: `rnodeProofs` or `f1r3nodeProofs`
 * @returns the proven content
 * @spec 30 §10
 * @throws {StateProofError}
 */
export function verifyStateProof(
  json: unknown,
  trusted: TrustedHash,
  question: StateProofRequest | undefined,
  form: ProofForm,
): ProvenState {
  const proof = readStateProof(json, form.format);
  if (question !== undefined) checkQuestion(proof, question);
  const block = checkTrusted(proof, trusted);
  const channels = proof.channels.map((channel) => channelOf(channel, form));
  const leafHash = followNodes(proof.root, stateKey(proof.kind, proof.channels), proof.nodes);
  const leaf = checkLeaf(leafHash, proof.leaf, form);
  const items = reading("leaf", () => form.leafItems(proof.kind, leaf));
  return { root: proof.root, block, channels, isPresent: leaf !== undefined, items };
}

/** The key below which a state keeps something. @spec 30 §2.1, §2.2, §4.2 */
export function stateKey(kind: StateKind, channels: readonly Uint8Array[]): Uint8Array {
  const [first, ...others] = channels.map((channel) => blake2b256(channel));
  if (first === undefined) throw badForm("channels", "must have at least one item");
  switch (kind) {
    case "data":
      return concatBytes(Uint8Array.of(0), first);
    case "continuations":
      return concatBytes(Uint8Array.of(1), blake2b256(concatBytes(...[first, ...others].sort(compareBytes))));
    case "joins":
      return concatBytes(Uint8Array.of(2), first);
  }
}

function checkQuestion(proof: StateProof, question: StateProofRequest): void {
  const isSame =
    proof.kind === question.kind &&
    proof.channels.length === question.channels.length &&
    equalBytes(stateKey(proof.kind, proof.channels), stateKey(question.kind, question.channels));
  if (!isSame) throw new StateProofError({ code: "otherQuestion" });
}

function checkTrusted({ root, block }: StateProof, trusted: TrustedHash): ProvenState["block"] {
  if ("root" in trusted && !equalBytes(root, trusted.root))
    throw new StateProofError({ code: "otherRoot", claimed: root, trusted: trusted.root });
  if ("root" in trusted && block === undefined) return undefined;
  if (block === undefined) throw new StateProofError({ code: "noBlock" });
  if ("blockHash" in trusted && !equalBytes(block.hash, trusted.blockHash))
    throw new StateProofError({ code: "otherBlock", claimed: block.hash, trusted: trusted.blockHash });
  return checkBlock(block, root);
}

function checkBlock({ hash, state, content }: BlockAnchor, root: Uint8Array): ProvenState["block"] {
  requireHash(content, hash, "block.content");
  const { preState, postState, blockNumber } = blockStates(content);
  const own = state === "post" ? postState : preState;
  if (!equalBytes(own, root)) throw new StateProofError({ code: "otherRoot", claimed: root, trusted: own });
  return { hash, number: blockNumber, state };
}

/** Only canonical bytes are a name's: of others it would be easy to show that nothing is there. */
function channelOf(bytes: Uint8Array, { decodeChannel, encodeChannel }: ProofForm): Par {
  return reading("channels", () => {
    const channel = decodeChannel(bytes);
    if (!equalBytes(encodeChannel(channel), bytes)) throw badForm("channels", "are not in canonical form");
    return channel;
  });
}

function checkLeaf(
  expected: Uint8Array | undefined,
  leaf: Uint8Array | undefined,
  { leafHash }: ProofForm,
): Uint8Array | undefined {
  if (expected === undefined) {
    if (leaf !== undefined) throw new StateProofError({ code: "superfluous", field: "leaf" });
    return undefined;
  }
  if (leaf === undefined) throw new StateProofError({ code: "cutOff" });
  if (!equalBytes(leafHash(leaf), expected)) throw new StateProofError({ code: "hash", field: "leaf", expected });
  return leaf;
}

function reading<T>(field: string, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    if (cause instanceof StateProofError) throw cause;
    if (isTooDeep(cause)) throw new StateProofError({ code: "tooDeep" }, { cause });
    throw badForm(field, "cannot be read as a term", cause);
  }
}

/** Terms are walked by native recursion; how deep one may be depends on the stack. */
function isTooDeep(cause: unknown): boolean {
  return cause instanceof RangeError || (cause instanceof DecodeError && cause.failure.code === "tooDeep");
}
