import { type Block, hashKey } from "@vedette/protocol";
import type { DagView } from "../dag/DagView.js";
import type { InvalidBlockFacts } from "./BlockExecution.js";
import { viewsOfSides } from "./sideViews.js";
import { visibleInvalidBlocks } from "./visibleInvalidBlocks.js";

/** Replays of one block, each with another map. */
const maxViews = 6;

/**
 * The invalid blocks that a block's creator may have had, the likeliest first: those that it could know of ours. Where
 * blocks are judged by arrival and the block slashes, the creator may have found other blocks invalid than this node:
 * then also these with the slashed ones that are held; the slashed ones alone; and what follows from finding one side
 * of an equivocation invalid, and so every block that names it and leaves the stake.
 *
 * The map is one value of a produce, so that its whole content is in the block's events: at most one is right.
 *
 * @param maxSteps blocks that are walked at most
 * @throws {ChainError} `blockMissing`, `tooComplex`
 * @spec 40 §5.5, 41 §1.2
 */
export function* invalidBlockViews(
  block: Block,
  dag: DagView,
  maxSteps: number,
): Generator<readonly InvalidBlockFacts[]> {
  const visible = visibleInvalidBlocks(block, dag, maxSteps);
  yield visible;
  const slashed = slashedBlocks(block);
  if (dag.judgesByEvidence || slashed.length === 0) return;
  const tried = new Set([keyOf(visible)]);
  for (const view of otherViews(block, dag, visible, slashed)) {
    const key = keyOf(view);
    if (tried.has(key)) continue;
    tried.add(key);
    yield view;
    if (tried.size >= maxViews) return;
  }
}

/** The blocks that a block slashes for. */
export function slashedBlocks(block: Block): readonly Uint8Array[] {
  return block.body.systemDeploys.flatMap(({ systemDeploy }) =>
    systemDeploy.kind === "slash" ? [systemDeploy.invalidBlockHash] : [],
  );
}

function* otherViews(
  block: Block,
  dag: DagView,
  visible: readonly InvalidBlockFacts[],
  slashed: readonly Uint8Array[],
): Generator<readonly InvalidBlockFacts[]> {
  const named = slashed.flatMap((hash): InvalidBlockFacts[] => {
    const held = dag.find(hash);
    return held === undefined ? [] : [{ hash: held.hash, sender: held.sender }];
  });
  yield [...new Map([...visible, ...named].map((one) => [hashKey(one.hash), one])).values()];
  yield named;
  yield* viewsOfSides(block, dag, { visible, named });
}

function keyOf(view: readonly InvalidBlockFacts[]): string {
  return view
    .map(({ hash }) => hashKey(hash))
    .sort()
    .join();
}
