import { fromHex } from "@vedette/crypto";
import { type Block, decodeBlock, rnode } from "@vedette/protocol";
import { MemoryStore, type Store, tablesOf } from "@vedette/store";
import { ownChain, type RecordedBlockFacts, recordedBlocks } from "@vedette/testing";
import { StateStore } from "@vedette/tuplespace";
import { rnodeExecution } from "../form/rnodeExecution.js";
import { mergeableIdOf, putMergeable } from "../merge/mergeableStore.js";
import { type MergedState, StateMerger } from "../merge/StateMerger.js";
import type { FailedReplay } from "../replay/ReplayFailure.js";
import { type BlockReplay, type ReplayedBlock, replayBlock } from "../replay/replayBlock.js";
import { commitEmptyState } from "../runtime/emptyState.js";
import type { InvalidBlock } from "../runtime/Runtime.js";

/** A recorded block after it was replayed. */
export interface RecordedMoment {
  /** Below the states; has the number channels of the blocks before. */
  readonly store: Store;
  readonly states: StateStore;
  readonly facts: RecordedBlockFacts;
  readonly block: Block;
  /** The inputs of the block's replay. */
  readonly replay: BlockReplay;
  readonly replayed: ReplayedBlock | FailedReplay;
  /** The merged state of its parents, if it has several. */
  readonly merged: MergedState | undefined;
  /** For messages. */
  readonly name: string;
}

const v1 =
  "0408fa6246eb7211324b6c9da9fb2d05a5a5cc919da3aa6567e87b35d5c9c1a36b0f6f19a462629bb1111b8b6bfdceb7b36340dce31823cb20fedbcb454ccea804";
const v2 =
  "04c0338717bd54d5db66bc13254ed4e2e09020b88d25d32dfa53a895d1a1771e6b1fae304464983375adccc6727c46682a795287c4f3fbc14f43227417c6315be3";
const v3 =
  "0464f18a87909cb719e6f4487b94aa5f143d221f00524451f38f7ac5a3d4228d0eb59b54df17eb636c7387a5720f403d5e33f967fac118e38898a344c3c69fcef8";

/**
 * The invalid blocks that the creator of 9a51a4f7… saw. The recording names them without their senders and does not
 * hold them: the first three senders are in that block's justifications, the last two were found by trying every
 * validator; one assignment alone leads to the recorded events.
 */
const invalidInViewOfV3: readonly InvalidBlock[] = [
  ["8228ea1989b19b82329c462c19e234f8b169b9d8fc118c6b2f486e33118ddd0a", v1],
  ["5844df364c1bf34469bf57a16b92fc715596153739e42f41715d4726c38b6ed8", v3],
  ["6ba9e68592d088d2ed8b620b2313a9d7ccd0478dba49905d859d107186f09a1d", v2],
  ["86dd72d93eb4590e0f6ff7c71b85a580f7950f72119eadcf1951e8da390b3552", v2],
  ["b7092ecf45a637c58e59d9e317610ce12bbabd8dd5260a1247c31b058bfe8976", v3],
].map(([hash, sender]) => ({ blockHash: fromHex(hash!), sender: fromHex(sender!) }));

/**
 * The blocks that were merged at each height of the chain `merge`: the base, then the merged ones. The chain's tests
 * find these.
 */
const mergedAt: Readonly<Record<number, readonly string[]>> = {
  2: ["a5b9", "4e5d", "2e42"],
  3: ["4e5d", "8e53", "2e42"],
  4: ["8e53", "794a", "933b", "8461"],
  5: ["933b", "794a", "8461", "91fd", "cf1c"],
  6: ["933b", "794a", "8461", "91fd", "cf1c", "b053"],
  7: ["b053", "210b", "562c", "5b37"],
  8: ["b053", "210b", "562c", "5b37", "e673"],
};

/**
 * Returns the blocks that were merged under a block with several parents: our own chain states them, for `merge` they
 * were derived.
 */
function scopeOf({ number, merged }: RecordedBlockFacts, known: ReadonlyMap<string, Block>) {
  const named = (prefix: string) => [...known].find(([hash]) => hash.startsWith(prefix))![1];
  if (merged !== undefined) return { base: fromHex(merged.baseState), others: merged.blocks.map(named) };
  const [base, ...others] = mergedAt[number]!.map(named);
  return { base: base!.body.state.postStateHash, others };
}

/** Those of our own chain, which many tests go through; replayed once in the process. */
let ownMoments: readonly RecordedMoment[] | undefined;

/**
 * Replays the valid blocks of a chain, our own or a recorded one, one after another; what came of each is for the caller
 * to judge. The store may have the states of later blocks already.
 */
export function recordedReplay(chain: string): Iterable<RecordedMoment> {
  if (chain !== ownChain) return replayed(chain);
  ownMoments ??= [...replayed(chain)];
  return ownMoments;
}

function* replayed(chain: string): Generator<RecordedMoment> {
  const store = new MemoryStore(tablesOf("state"));
  const states = new StateStore(store);
  commitEmptyState(states, rnodeExecution);
  const merger = new StateMerger(states, store);
  const invalidBlocks = chain === "equivocation-v3b" ? invalidInViewOfV3 : [];
  const known = new Map<string, Block>();
  for (const { bytes, facts } of recordedBlocks(chain)) {
    if (facts.invalid) continue;
    const block = decodeBlock(bytes, rnode.blockForm);
    let merged: MergedState | undefined;
    if (block.parents.length > 1) {
      const { base, others } = scopeOf(facts, known);
      merged = merger.merge(base, others);
    }
    const replay = { block, preState: block.body.state.preStateHash, invalidBlocks };
    const outcome = replayBlock(states, replay);
    if (!("failure" in outcome)) putMergeable(store, mergeableIdOf(block), outcome.numberChannels);
    known.set(facts.hash, block);
    yield {
      store,
      states,
      facts,
      block,
      replay,
      replayed: outcome,
      merged,
      name: `#${facts.number} ${facts.hash.slice(0, 8)}`,
    };
  }
}
