import { hashKey } from "@vedette/protocol";
import type { BlockMetadata } from "../dag/BlockMetadata.js";
import type { DagView } from "../dag/DagView.js";

/** Invalid blocks that are looked at; a split is as deep as the blocks since the equivocation. */
const maxExamined = 4_096;

/** An invalid block that others take for a valid one. */
export interface AcceptedBlock {
  readonly block: BlockMetadata;
  /** Stake of its creator and of validators that build on it, without equivocators, by the bonds of its main parent. */
  readonly stake: bigint;
  /** The total stake of all validators in these bonds. */
  readonly total: bigint;
}

/** The rules by which validators support an invalid block. Keys of validators are `hashKey`s of public keys. */
export interface SupportRules {
  /** Whether a validator counts for nothing. */
  readonly isOffender: (validatorKey: string) => boolean;
  /** The validators that a block slashes, if they may have their stake in its own bonds nevertheless. */
  readonly slashedBy: (block: BlockMetadata) => ReadonlySet<string>;
}

/**
 * The invalid blocks that latest messages build on, the lower ones first.
 *
 * A block *accepts* another by naming it as a parent, or by justifying it and leaving its creator the stake. If its
 * creator found the other invalid, the block would be invalid by check 15.
 *
 * @spec 40 §17.4, 61 §15.7
 * @cost one look at each justification of the latest messages and of the invalid blocks below them
 */
export function acceptedBlocks(dag: DagView, { isOffender, slashedBy }: SupportRules): AcceptedBlock[] {
  const tops = new Map<string, BlockMetadata>();
  for (const { hash } of dag.latestMessages()) {
    const latest = dag.find(hash);
    if (latest !== undefined) tops.set(latest.key, latest);
  }
  const found = withSupporters([...tops.values()], (block) => acceptedInvalid(block, dag, slashedBy));
  return found
    .filter(({ block }) => block.invalid)
    .map(({ block, makers }) => {
      const bonds = (block.mainParent === undefined ? undefined : dag.find(block.mainParent))?.bonds ?? block.bonds;
      let stake = 0n;
      for (const maker of makers) if (!isOffender(maker)) stake += bonds.stakes.get(maker) ?? 0n;
      return { block, stake, total: bonds.total };
    });
}

type AcceptedBy = (block: BlockMetadata) => BlockMetadata[];

interface Node {
  readonly block: BlockMetadata;
  readonly makers: Set<string>;
  /** The examined blocks that it accepts. */
  readonly accepted: Node[];
  acceptersLeft: number;
}

/** @returns the latest messages and the invalid blocks below them, ancestors before their descendants */
function withSupporters(tops: readonly BlockMetadata[], acceptedBy: AcceptedBy): Node[] {
  const ordered = nodesBelow(tops, acceptedBy).filter(({ acceptersLeft }) => acceptersLeft === 0);
  for (const { accepted, makers } of ordered)
    for (const below of accepted) {
      for (const maker of makers) below.makers.add(maker);
      below.acceptersLeft -= 1;
      if (below.acceptersLeft === 0) ordered.push(below);
    }
  return ordered.reverse();
}

/** @returns each block once, linked to those that it accepts */
function nodesBelow(tops: readonly BlockMetadata[], acceptedBy: AcceptedBy): Node[] {
  const nodes = new Map<string, Node>();
  const links: { readonly node: Node; readonly key: string }[] = [];
  const waiting = [...tops];
  for (let at = 0; at < waiting.length && nodes.size < maxExamined; at += 1) {
    const block = waiting[at]!;
    if (nodes.has(block.key)) continue;
    const node: Node = { block, makers: new Set([block.senderKey]), accepted: [], acceptersLeft: 0 };
    nodes.set(block.key, node);
    const accepted = acceptedBy(block);
    links.push(...accepted.map(({ key }) => ({ node, key })));
    waiting.push(...accepted);
  }
  for (const { node, key } of links) {
    const below = nodes.get(key);
    if (below === undefined) continue;
    node.accepted.push(below);
    below.acceptersLeft += 1;
  }
  return [...nodes.values()];
}

/** The invalid blocks that a block takes for valid ones, each once. */
function acceptedInvalid(block: BlockMetadata, dag: DagView, slashedBy: SupportRules["slashedBy"]): BlockMetadata[] {
  const justified = block.justifications
    .filter(({ validator }) => (block.bonds.stakes.get(hashKey(validator)) ?? 0n) > 0n)
    .flatMap(({ latestBlockHash }) => invalidAt(latestBlockHash, dag));
  const slashed = justified.length > 0 ? slashedBy(block) : noValidators;
  const kept = justified.filter(({ senderKey }) => !slashed.has(senderKey));
  const parents = block.parents.flatMap((parent) => invalidAt(parent, dag));
  return [...new Map([...kept, ...parents].map((one) => [one.key, one])).values()];
}

const noValidators: ReadonlySet<string> = new Set();

function invalidAt(hash: Uint8Array, dag: DagView): BlockMetadata[] {
  const found = dag.isInvalid(hash) ? dag.find(hash) : undefined;
  return found === undefined ? [] : [found];
}
