import { blake2b256, toHex } from "@vedette/crypto";
import { f1r3nodeTerms } from "@vedette/terms";
import {
  applyItems,
  emptyRoot,
  f1r3nodeSpace,
  type MergeChain,
  MergeError,
  mergeChains,
  noLosses,
  type ResolvedChains,
  resolveChains,
  StoredItems,
} from "@vedette/tuplespace";
import { int, text } from "@vedette/tuplespace/testing";
import fc from "fast-check";
import { propertyTarget } from "../driver/propertyTarget.js";
import { must, refusedAs } from "../driver/Target.js";
import { anyBase, anyBlocks, MergeScene, type PlayedBlock, permutations, sharesChannel } from "../model/MergeScene.js";

/** @spec 61 §12.4 to §12.7 */
export const f1r3nodeMerging = propertyTarget({
  name: "f1r3node-merging",
  about: "blocks of f1r3node merge to one state in any order, which is that of one deploy after the other",
  cost: "expensive",
  files: ["tuplespace/merge/f1r3node/"],
  values: fc.record({ base: anyBase, blocks: anyBlocks }),
  check: ({ base, blocks }) => {
    // A channel with one number on it and nothing else has rules of its own.
    const scene = new MergeScene({ space: f1r3nodeSpace, terms: f1r3nodeTerms, values: [text("a"), int(1)] });
    const start = scene.play(emptyRoot, [base], "base").root;
    const played = blocks.map((deploys, block) => scene.play(start, deploys, `block ${block}`));
    let chains: readonly (readonly MergeChain[])[];
    let orders: readonly ResolvedChains[];
    try {
      chains = played.map((block, at) => chainsOf(scene, start, block, at));
      const base = new StoredItems(scene.store, start);
      orders = permutations(chains).map((order) => resolveChains(order.flat(), [], { base, losses: noLosses }));
    } catch (error) {
      refusedAs(error, MergeError);
      return;
    }
    const isShared = played.some(({ deploys }, block) => sharesChannel(chains[block]!, deploys));
    let resolved: readonly Resolved[];
    try {
      resolved = orders.map((order) => applied(scene, start, order));
    } catch (error) {
      // The kept deploys can be applied to the base, but for the quirk below.
      if (!isShared) throw error;
      refusedAs(error, MergeError);
      return;
    }
    const [first, ...others] = resolved;
    for (const other of others) {
      must(other.rejected === first!.rejected, "the same deploys are given up in any order");
      must(other.root === first!.root, "the same state comes out in any order");
    }
    if (isShared) return;
    // Quirk 30 §A.5: a receive that waits because another deploy of its block took a datum goes on waiting when that
    // one is given up.
    if (first!.rejected === "") scene.checkAtRest(Buffer.from(first!.root, "hex"));
    const later = played.map(({ deploys }) => deploys.filter(({ id }) => first!.kept.has(toHex(id))));
    for (const order of permutations(later)) {
      const sequential = scene.replay(start, order.flat());
      must(sequential !== undefined, "what was merged can be replayed one after the other");
      must(toHex(sequential) === first!.root, "the merged state is that of one deploy after the other");
    }
  },
});

/** The result of a merge. */
interface Resolved {
  /** In hex. */
  readonly root: string;
  /** Ids of deploys, in hex. */
  readonly kept: ReadonlySet<string>;
  readonly rejected: string;
}

function chainsOf({ store }: MergeScene, start: Uint8Array, { root, deploys }: PlayedBlock, at: number): MergeChain[] {
  const source = { hash: blake2b256(Uint8Array.of(at)), number: 1n, postState: root };
  const states = { before: new StoredItems(store, start), after: new StoredItems(store, root) };
  const merged = deploys.map(({ id, cost, log }) => ({ id, cost, log, numbers: new Map(), validAfter: 0n }));
  return mergeChains(merged, source, states);
}

function applied({ store }: MergeScene, start: Uint8Array, { kept, rejected }: ResolvedChains): Resolved {
  const idsOf = (some: readonly MergeChain[]) => some.flatMap(({ deploys }) => deploys.map(({ id }) => toHex(id)));
  const root = toHex(applyItems(store, start, kept.flat()));
  return { root, kept: new Set(idsOf(kept.flat())), rejected: idsOf(rejected).sort().join() };
}
