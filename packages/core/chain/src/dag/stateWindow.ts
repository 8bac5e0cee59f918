import { hashKey } from "@vedette/protocol";
import type { Store } from "@vedette/store";
import { undecidedBlock } from "../outcome/undecidedBlocks.js";
import type { BlockMetadata } from "./BlockMetadata.js";
import type { Dag } from "./Dag.js";
import type { YieldToEventLoop } from "./yieldToEventLoop.js";

/** Blocks that are examined between two turns of the event loop. */
const blocksPerYield = 200;

/** Heights that are examined again: forks are decided within them. */
const lookedAtAgain = 1_000n;

/** The sources that decide which states are needed. */
export interface StateWindowSources {
  readonly dag: Pick<Dag, "blocksByHeight" | "find" | "lastFinalized" | "latestBlocks" | "nextBlockNumber">;
  /** Has the tables of the chain environment. */
  readonly store: Store;
  readonly yieldNow: YieldToEventLoop;
}

/** States that may go, and the height below which none is left when they are gone. */
export interface ForgettableStates {
  readonly roots: readonly Uint8Array[];
  readonly below: bigint;
}

/**
 * The states that a node which keeps a window can remove: those of blocks below the window. It keeps states from which
 * a block of the window begins, and those of undecided blocks and of latest messages that are not final.
 *
 * @param window heights below the last final block, see 40 §6.5
 * @param from   height below which there are none, or they are gone already
 * @returns some hundred at a time, from below
 * @spec 40 §6.5
 */
export async function* prunableStates(
  sources: StateWindowSources,
  window: bigint,
  from: bigint,
): AsyncGenerator<ForgettableStates> {
  const { dag, yieldNow } = sources;
  const to = windowEdge(dag, window);
  if (to === undefined || to <= from) return;
  const kept = await keptStates(sources, to);
  let roots: Uint8Array[] = [];
  let looked = 0;
  // A state that was needed beside the window at the last call may not be needed now.
  const first = from > lookedAtAgain ? from - lookedAtAgain : 0n;
  for (const { height, block } of blocksBetween(dag, first, to - 1n)) {
    for (const root of statesOf(block)) if (!kept.has(hashKey(root))) roots.push(root);
    looked += 1;
    if (looked % blocksPerYield > 0) continue;
    yield { roots, below: height >= from ? height + 1n : from };
    roots = [];
    await yieldNow();
  }
  yield { roots, below: to };
}

/** Returns the lowest height at which states are kept; `undefined` before anything is final. */
export function windowEdge(dag: Pick<Dag, "lastFinalized">, window: bigint): bigint | undefined {
  const final = dag.lastFinalized()?.number;
  return final === undefined ? undefined : final - window;
}

/** All states that are needed, where those of blocks from a height on are: a hash key each. */
export async function keptStates({ dag, store, yieldNow }: StateWindowSources, from: bigint): Promise<Set<string>> {
  const kept = new Set<string>();
  const keep = ({ preStateHash, postStateHash }: BlockMetadata) => {
    kept.add(hashKey(preStateHash));
    kept.add(hashKey(postStateHash));
  };
  let looked = 0;
  for (const { block } of blocksBetween(dag, from, dag.nextBlockNumber())) {
    keep(block);
    looked += 1;
    if (looked % blocksPerYield === 0) await yieldNow();
  }
  for (const [key] of store.table("undecidedBlocks").range()) {
    const block = dag.find(undecidedBlock(key).hash);
    if (block !== undefined) keep(block);
  }
  // The latest message of a validator that has long, or always, been silent is a final block.
  for (const block of dag.latestBlocks()) if (!block.finalized) keep(block);
  const final = dag.lastFinalized();
  if (final !== undefined) keep(final);
  return kept;
}

/** Reads some heights at a time, so that no transaction stays open while the event loop runs other work. */
function* blocksBetween(
  dag: StateWindowSources["dag"],
  from: bigint,
  to: bigint,
): Generator<{ readonly height: bigint; readonly block: BlockMetadata }> {
  for (let first = from; first <= to; first += heightsOfRead) {
    const last = first + heightsOfRead - 1n < to ? first + heightsOfRead - 1n : to;
    for (const { height, hash } of [...dag.blocksByHeight(first, last)]) {
      const block = dag.find(hash);
      if (block !== undefined) yield { height, block };
    }
  }
}

const heightsOfRead = 100n;

/** A block begins with its parent's state, except where parents were merged. Genesis begins with the empty state. */
function statesOf({ parents, preStateHash, postStateHash }: BlockMetadata): Uint8Array[] {
  return parents.length > 1 ? [preStateHash, postStateHash] : [postStateHash];
}
