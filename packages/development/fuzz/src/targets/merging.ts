import { toHex } from "@vedette/crypto";
import { rnodeTerms } from "@vedette/terms";
import {
  applyChanges,
  type DeployChain,
  deployChains,
  emptyRoot,
  MergeError,
  mergeSideParents,
  resolveConflicts,
  rnodeSpace,
  StateView,
} from "@vedette/tuplespace";
import { int } from "@vedette/tuplespace/testing";
import fc from "fast-check";
import { propertyTarget } from "../driver/propertyTarget.js";
import { must, refusedAs } from "../driver/Target.js";
import {
  anyBase,
  anyBlocks,
  anySteps,
  MergeScene,
  type PlayedBlock,
  type PlayedDeploy,
  permutations,
  sharesChannel,
} from "../model/MergeScene.js";

const anyScene = fc.record({
  base: anyBase,
  blocks: anyBlocks,
  /**
   * By evidence: the own deploys of the first two blocks' merge, and which of them, or neither, the third one builds
   * on.
   */
  own: fc.array(anySteps, { maxLength: 2 }),
  thirdParent: fc.nat({ max: 2 }),
});

type Scene = typeof anyScene extends fc.Arbitrary<infer T> ? T : never;

export const merging = propertyTarget({
  name: "merging",
  about: "blocks on one state merge to one state in any order of arrival, which is that of one deploy after the other",
  cost: "expensive",
  files: ["tuplespace/merge/", "!tuplespace/merge/f1r3node/"],
  values: anyScene,
  check: ({ base, blocks, own, thirdParent }) => {
    const made = new MergeScene({ space: rnodeSpace, terms: rnodeTerms, values: [int(0), int(1)] });
    const { store } = made;
    const start = made.play(emptyRoot, [base], "base").root;
    checkByEvidence(made, start, { blocks, own, thirdParent });
    const played = blocks.map((deploys, block) => made.play(start, deploys, `block ${block}`));
    // Quirk 30 §A.3: chains of equal post-states keep the order in which they come; a node merges by height and hash.
    if (new Set(played.map(({ root }) => toHex(root))).size < played.length) return;
    let chains: DeployChain[][];
    try {
      chains = played.map(({ root, deploys }) =>
        deployChains(
          deploys.map(({ id, cost, log }) => ({ id, cost, log, numberChannels: new Map() })),
          new StateView(store, start),
          new StateView(store, root),
        ),
      );
    } catch (error) {
      refusedAs(error, MergeError);
      return;
    }
    const resolved = permutations(chains).map((order) => resolveConflicts(order.flat(), () => 0n));
    const [first] = resolved;
    const root = applyChanges(store, start, first!.merged);
    for (const { merged, rejectedIds } of resolved) {
      must(textOf(rejectedIds) === textOf(first!.rejectedIds), "the same deploys are rejected in any order of arrival");
      must(
        toHex(applyChanges(store, start, merged)) === toHex(root),
        "the same state comes out in any order of arrival",
      );
    }
    if (played.some(({ deploys }, block) => sharesChannel(chains[block]!, deploys))) return;
    // Quirk 30 §A.5: a receive that waits because another deploy of its block took a datum goes on waiting when that
    // one is rejected.
    if (first!.rejected.length === 0) made.checkAtRest(root);
    const kept = new Set(first!.merged.flatMap(({ deploys }) => deploys.map(({ id }) => toHex(id))));
    const later = played.map(({ deploys }) => deploys.filter(({ id }) => kept.has(toHex(id))));
    for (const order of permutations(later)) {
      const sequential = made.replay(start, order.flat());
      must(sequential !== undefined, "what was merged can be replayed one after the other");
      must(toHex(sequential) === toHex(root), "the merged state is that of one deploy after the other");
    }
  },
});

/**
 * By evidence: a second block is merged upon a first one, and upon that merge and its own deploys a third one, upon the
 * parent that the scene chooses. The result is always the state that the kept deploys leave one after the other.
 *
 * @spec 40 §16.7
 */
function checkByEvidence(made: MergeScene, start: Uint8Array, { blocks, own, thirdParent }: Omit<Scene, "base">): void {
  const { store } = made;
  const [first, second, third] = blocks.map((deploys, at) => ({ deploys, name: `block ${at}` }));
  const begun = { key: "start", root: start };
  const play = (before: MadeBlock, { deploys, name }: { deploys: Scene["own"]; name: string }): MadeBlock => {
    const played = made.play(before.root, deploys, name);
    return { key: name, root: played.root, before: before.root, played };
  };
  const a = play(begun, first!);
  const b = play(begun, second!);
  const c = third === undefined ? undefined : play([begun, a, b][thirdParent]!, third);
  try {
    const [besideA, besideB] = [beside(made, a, ["start"]), beside(made, b, ["start"])];
    const merge = mergeSideParents([besideA], [besideB], new StateView(store, a.root));
    const root = applyChanges(store, a.root, merge.kept, true);
    const fromB = keptOf(b, merge.kept);
    checkSequence(made, start, [...deploysOf(a), ...fromB], root);
    if (c === undefined) return;
    const m = play({ key: "merge", root }, { deploys: own, name: "merge" });
    const besideM = { ...beside(made, m, [a.key, b.key]), rejectedIds: merge.rejectedIds };
    const besideC = beside(made, c, [[begun, a, b][thirdParent]!.key]);
    const all = mergeSideParents([besideA, besideB, besideM], [besideC], new StateView(store, m.root));
    const whole = applyChanges(store, m.root, all.kept, true);
    checkSequence(made, start, [...deploysOf(a), ...fromB, ...deploysOf(m), ...keptOf(c, all.kept)], whole);
  } catch (error) {
    refusedAs(error, MergeError);
  }
}

/** A block, or its replacement. */
interface MadeBlock {
  readonly key: string;
  readonly root: Uint8Array;
  readonly before?: Uint8Array;
  readonly played?: PlayedBlock;
}

function deploysOf({ played }: MadeBlock): readonly PlayedDeploy[] {
  return played!.deploys;
}

function beside({ store }: MergeScene, block: MadeBlock, parents: readonly string[]) {
  const deploys = deploysOf(block).map(({ id, cost, log }) => ({ id, cost, log, numberChannels: new Map() }));
  const chains = deployChains(deploys, new StateView(store, block.before!), new StateView(store, block.root), true);
  return { key: block.key, parents, chains, rejectedIds: new Set<string>() };
}

function keptOf(block: MadeBlock, chains: readonly DeployChain[]): PlayedDeploy[] {
  const kept = new Set(chains.flatMap((chain) => chain.deploys.map(({ id }) => toHex(id))));
  return deploysOf(block).filter(({ id }) => kept.has(toHex(id)));
}

function checkSequence(made: MergeScene, start: Uint8Array, deploys: readonly PlayedDeploy[], root: Uint8Array): void {
  made.checkAtRest(root);
  const sequential = made.replay(start, deploys);
  must(sequential !== undefined, "what is merged by evidence can be replayed one after the other");
  must(toHex(sequential) === toHex(root), "what is merged by evidence is the state of one deploy after the other");
}

function textOf(ids: readonly Uint8Array[]): string {
  return ids.map(toHex).join();
}
