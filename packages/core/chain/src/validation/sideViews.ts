import { type Block, hashKey } from "@vedette/protocol";
import type { BlockMetadata } from "../dag/BlockMetadata.js";
import type { DagView } from "../dag/DagView.js";
import type { InvalidBlockFacts } from "./BlockExecution.js";

/** Blocks below a slash that are looked at; a split is as deep as the blocks since the equivocation. */
const maxWalked = 2_000;
const maxEquivocations = 3;
const maxSides = 4;

/**
 * The invalid blocks in the views of a creator that finds one side of each equivocation invalid, as far as the block's
 * past shows.
 *
 * @param views the invalid blocks of this node that the creator could know, and the blocks that are slashed for
 * @spec 40 §5.6 (check 15), §5.8
 * @cost grows with the past of the block, of which the nearest 2,000 blocks are looked at
 */
export function* viewsOfSides(
  block: Block,
  dag: DagView,
  { visible, named }: { readonly visible: readonly InvalidBlockFacts[]; readonly named: readonly InvalidBlockFacts[] },
): Generator<readonly InvalidBlockFacts[]> {
  const past = nearestPast(block, dag, named);
  const equivocations = equivocationsIn(past, dag);
  if (equivocations.length === 0) return;
  const known = new Map([...past.values(), ...equivocations.flat()].map((one) => [one.key, one]));
  for (const { hash } of visible) if (dag.has(hash)) known.set(hashKey(hash), dag.require(hash));
  const justifiedBy = reversed(known);
  const ofSides = neglecting(equivocations.flat(), justifiedBy);
  const agreed = visible.filter(({ hash }) => !ofSides.has(hashKey(hash)));
  for (const sides of choices(equivocations)) {
    const found = [...neglecting(sides, justifiedBy).values()].filter(({ key }) => past.has(key));
    const view = new Map([...agreed, ...sides, ...found].map(({ hash, sender }) => [hashKey(hash), { hash, sender }]));
    if (named.every(({ hash }) => view.has(hashKey(hash)))) yield [...view.values()];
  }
}

/** Returns the blocks that a block names or slashes for, and those below them, the nearest first. */
function nearestPast(
  block: Block,
  dag: DagView,
  named: readonly InvalidBlockFacts[],
): ReadonlyMap<string, BlockMetadata> {
  const past = new Map<string, BlockMetadata>();
  const justified = block.justifications.map(({ latestBlockHash }) => latestBlockHash);
  const waiting = [...named.map(({ hash }) => hash), ...justified, ...block.parents];
  for (let at = 0; at < waiting.length && past.size < maxWalked; at += 1) {
    const one = dag.find(waiting[at]!);
    if (one === undefined || past.has(one.key)) continue;
    past.set(one.key, one);
    for (const { latestBlockHash } of one.justifications) waiting.push(latestBlockHash);
    waiting.push(...one.parents);
  }
  return past;
}

/** Returns the sides of each known equivocation with a side in a past; the nearest first. */
function equivocationsIn(past: ReadonlyMap<string, BlockMetadata>, dag: DagView): BlockMetadata[][] {
  const found = new Map<string, BlockMetadata[]>();
  for (const block of past.values()) {
    if (found.size >= maxEquivocations) break;
    const key = block.senderKey + hashKey(block.selfJustification ?? block.hash);
    if (!found.has(key) && isSide(block, dag)) found.set(key, sidesOf(block, dag));
  }
  return [...found.values()];
}

/** Whether its creator made another block after the same own one. */
export function isSide({ sender, key, selfJustification }: BlockMetadata, dag: DagView): boolean {
  if (sender.length === 0 || selfJustification === undefined) return false;
  return dag.ownBlocksAfter(sender, selfJustification).some((hash) => hashKey(hash) !== key);
}

function sidesOf({ sender, selfJustification }: BlockMetadata, dag: DagView): BlockMetadata[] {
  return dag
    .ownBlocksAfter(sender, selfJustification!)
    .slice(0, maxSides)
    .map((hash) => dag.require(hash));
}

/** Each block → those that justify it and leave its creator the stake. */
function reversed(blocks: ReadonlyMap<string, BlockMetadata>): ReadonlyMap<string, readonly BlockMetadata[]> {
  const found = new Map<string, BlockMetadata[]>();
  for (const block of blocks.values())
    for (const { validator, latestBlockHash } of block.justifications) {
      if ((block.bonds.stakes.get(hashKey(validator)) ?? 0n) <= 0n) continue;
      const key = hashKey(latestBlockHash);
      const list = found.get(key);
      if (list === undefined) found.set(key, [block]);
      else list.push(block);
    }
  return found;
}

/** These blocks, and all that are invalid where these are. */
function neglecting(
  sides: readonly BlockMetadata[],
  justifiedBy: ReadonlyMap<string, readonly BlockMetadata[]>,
): ReadonlyMap<string, BlockMetadata> {
  const found = new Map(sides.map((side) => [side.key, side]));
  for (const { key } of found.values())
    for (const block of justifiedBy.get(key) ?? []) if (!found.has(block.key)) found.set(block.key, block);
  return found;
}

/** All sides but one of each equivocation; then one alone, where there are more than two. */
function* choices(equivocations: readonly (readonly BlockMetadata[])[]): Generator<readonly BlockMetadata[]> {
  const [first, ...others] = equivocations;
  if (first === undefined) {
    yield [];
    return;
  }
  const ways = first.map((valid) => first.filter((side) => side !== valid));
  if (first.length > 2) ways.push(...first.map((side) => [side]));
  for (const way of ways) for (const rest of choices(others)) yield [...way, ...rest];
}
