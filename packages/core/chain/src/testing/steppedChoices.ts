import { compareBytes, compareSignedBytes, equalBytes } from "@vedette/crypto";
import { hashKey } from "@vedette/protocol";
import type { BlockMetadata } from "../dag/BlockMetadata.js";
import { commonAncestor } from "../dag/commonAncestor.js";
import type { DagView, LatestMessage } from "../dag/DagView.js";
import { isMajority, smallestClique, weightsOf } from "../finality/faultTolerance.js";
import { Connections, heaviestClique } from "../finality/heaviestClique.js";
import type { VotingView } from "../finality/VotingView.js";
import { type Chooser, forkPatienceMs } from "../forkChoice/heaviestTip.js";

/** rnode's search for a final block, step by step: each block is tested with each validator that agrees. @spec 40 §8.2 */
export function steppedFinalized(dag: VotingView, threshold: number, height = dag.lastFinalized()?.number ?? -1n) {
  const agreeing = new Map<string, Map<string, bigint>>();
  let layer = [...dag.latestMessages()]
    .sort((left, right) => compareSignedBytes(left.validator, right.validator))
    .map(({ validator, hash }) => ({ key: hashKey(validator), block: dag.require(hash) }));
  while (layer.length > 0) {
    const next: typeof layer = [];
    for (const { key, block } of layer) {
      const { stakes, total } = weightsOf(dag, block);
      const all = agreeing.get(block.key) ?? new Map<string, bigint>();
      agreeing.set(block.key, all);
      const stake = stakes.get(key) ?? 0n;
      if (stake > 0n) {
        all.set(key, stake);
        const sum = [...all.values()].reduce((left, right) => left + right);
        const keys = [...all.keys()];
        const pairs = new Connections(keys.length);
        for (const [left, one] of keys.entries())
          for (const [right, other] of keys.entries())
            if (areConnected(dag, block, one, other)) pairs.connect(left, right);
        const clique = heaviestClique([...all.values()], pairs);
        if (isMajority(sum, total) && clique >= smallestClique(total, Math.fround(threshold))) return block;
      }
      const parent = block.mainParent === undefined ? undefined : dag.find(block.mainParent);
      if (parent !== undefined && parent.number > height) next.push({ key, block: parent });
    }
    layer = next;
  }
  return undefined;
}

/** Whether neither of two validators can have seen the other choose against a block, one walk each. @spec 40 §8.1 */
function areConnected(dag: VotingView, target: BlockMetadata, left: string, right: string): boolean {
  const never = (seeing: string, seen: string): boolean => {
    const hash = dag.require(dag.latestMessage(seeing)!).justificationOf(seen);
    const known = hash === undefined ? undefined : dag.find(hash);
    if (known === undefined || (dag.judgesByEvidence && known.senderKey !== seen)) return false;
    const stop = known.selfJustification ?? known.hash;
    let at = dag.require(dag.latestMessage(seen)!);
    while (at.selfJustification !== undefined) {
      at = dag.require(at.selfJustification);
      if (equalBytes(at.hash, stop)) return true;
      if (!supports(dag, at, target)) return false;
    }
    return true;
  };
  return left === right || (never(left, right) && never(right, left));
}

function supports(dag: Pick<DagView, "find">, block: BlockMetadata, target: BlockMetadata): boolean {
  for (let at: BlockMetadata | undefined = block; at !== undefined; ) {
    if (at.number <= target.number) return at.key === target.key;
    at = at.mainParent === undefined ? undefined : dag.find(at.mainParent);
  }
  return false;
}

/** The heaviest tip with each validator's main chain by itself. @spec 40 §9.2 (Vedette) */
export function steppedTip(
  dag: DagView,
  ancestor: BlockMetadata,
  latest: readonly LatestMessage[],
  { validatorKey, nowMs }: Chooser,
): BlockMetadata {
  const silent = latest.filter(({ validator, hash }) => dag.require(hash).senderKey !== hashKey(validator));
  let voters = latest.map(({ validator, hash }) => ({ key: hashKey(validator), chain: chainTo(dag, hash, ancestor) }));
  for (let fork = ancestor; ; ) {
    const { stakes, total } = fork.bonds;
    const sides = new Map<string, { block: BlockMetadata; stake: bigint }>();
    for (const { key, chain } of voters) {
      const next = chain.at(-1);
      if (next === undefined) continue;
      sides.set(next.key, { block: next, stake: (stakes.get(key) ?? 0n) + (sides.get(next.key)?.stake ?? 0n) });
    }
    const [heaviest] = [...sides.values()].sort((left, right) =>
      left.stake === right.stake ? compareBytes(left.block.hash, right.block.hash) : left.stake > right.stake ? -1 : 1,
    );
    if (heaviest === undefined) return fork;
    const own = voters.find(({ key }) => key === validatorKey)?.chain ?? [];
    const first = own.findLast(({ senderKey }) => senderKey === validatorKey);
    const isYoung = first !== undefined && nowMs - Number(first.timestamp) < forkPatienceMs;
    const isAnySilent = silent.some(({ validator }) => (stakes.get(hashKey(validator)) ?? 0n) > 0n);
    const keepsOwn = 2n * heaviest.stake <= total && isAnySilent && isYoung;
    fork = (keepsOwn ? own.at(-1) : undefined) ?? heaviest.block;
    voters = voters.filter(({ chain }) => chain.pop()?.key === fork.key);
  }
}

/** From a block down to right above an ancestor; nothing where it does not lead there. */
function chainTo(dag: DagView, hash: Uint8Array, ancestor: BlockMetadata): BlockMetadata[] {
  const chain: BlockMetadata[] = [];
  let block: BlockMetadata | undefined = dag.require(hash);
  while (block !== undefined && block.number > ancestor.number) {
    chain.push(block);
    block = block.mainParent === undefined ? undefined : dag.find(block.mainParent);
  }
  return block?.key === ancestor.key ? chain : [];
}

/** The common ancestor of blocks, two at a time. @spec 40 §7.3 */
export function foldedAncestor(dag: DagView, blocks: readonly BlockMetadata[]): BlockMetadata {
  return blocks.reduce((one, other) => commonAncestor(dag, [one, other])!);
}
