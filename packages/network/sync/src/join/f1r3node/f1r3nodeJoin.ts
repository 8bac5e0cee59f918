import { type Block, hashKey } from "@vedette/protocol";
import type { FloorPort, NumberEntryPort } from "../../ports/FloorPort.js";
import { importedBlocks } from "../approvedBlocks.js";
import type { FetchedBlock } from "../BlockRequester.js";
import { fetchApprovedBlocks } from "../fetchApprovedBlocks.js";
import { fetchState } from "../fetchState.js";
import type { JoinOptions, JoinRules } from "../JoinRules.js";
import { runBothOrAbort } from "../runBothOrAbort.js";
import { fetchEntries } from "./fetchEntries.js";
import { fetchFloors } from "./fetchFloors.js";
import { fetchHorizon } from "./fetchHorizon.js";
import { type HorizonDepths, horizonOf, lowestOf, statesOf, usableSeed } from "./horizon.js";

/** The further parts that a joiner of f1r3node's networks needs. */
export interface F1r3nodeJoinOptions extends HorizonDepths {
  readonly floors: FloorPort;
  readonly entries: NumberEntryPort;
}

/**
 * The joining rules of f1r3node networks: besides the state and the blocks around the approved one, a joiner needs the
 * data that their merges use: floors, earlier states, and the changes of number channels.
 *
 * The bootstrap's state is trusted, as on every network. So are its floors, as far as blocks do not show them, and its
 * numbers, as far as states do not show them.
 *
 * @spec 61 §16.4
 */
export function f1r3nodeJoin({ floors, entries, ...depths }: F1r3nodeJoinOptions): JoinRules {
  return {
    async beginAt(approved, use, signal) {
      const { block } = approved.candidate;
      const seed = usableSeed(block, approved.floorSeed);
      const [fetched] = await runBothOrAbort(
        signal,
        (both) => fetchApprovedBlocks(block, use.blocks, both, lowestOf(block.number, depths, seed)),
        (both) => fetchState(block.body.state.postStateHash, use.states, both),
      );
      const hashes = fetched.map(({ hash }) => hash);
      const others = importedBlocks(block, hashes);
      const known = await fetchFloors(
        { approved, seed, blocks: others },
        { ...use.blocks, port: floors, received: use.floors },
        signal,
      );
      const lowest = horizonOf(block.number, depths);
      const invalid = new Set(others.filter(({ isInvalid }) => isInvalid).map(({ hash }) => hashKey(hash)));
      const recent = fetched.filter(({ hash, number }) => number >= lowest && !invalid.has(hashKey(hash)));
      await fetchHorizon(statesOf(blocksOf(recent, use)), use.states, signal);
      const whole = await withStates(recent, use);
      await fetchEntries(whole, { ...use.blocks, port: entries, received: use.entries }, signal);
      await use.approved.adoptImported(approved, others, known);
    },
  };
}

function* blocksOf(fetched: readonly FetchedBlock[], use: JoinOptions): Generator<Block> {
  for (const { hash } of fetched) {
    const block = use.blocks.blocks.get(hash);
    if (block !== undefined) yield block;
  }
}

/** Returns the blocks with states from which their changes can be found. */
async function withStates(fetched: readonly FetchedBlock[], use: JoinOptions): Promise<FetchedBlock[]> {
  const { state } = use.states;
  const whole: FetchedBlock[] = [];
  for (const { hash, number, body } of blocksOf(fetched, use)) {
    const { preStateHash, postStateHash } = body.state;
    if ((await state.hasRoot(preStateHash)) && (await state.hasRoot(postStateHash))) whole.push({ hash, number });
  }
  return whole;
}
