import {
  type BlockTable,
  ChainError,
  checkGivenFloors,
  type Dag,
  entriesAtState,
  type F1r3nodeBlockExecution,
  type Floors,
  keptJoinAnchor,
  type StoredFloorCache,
  slashesOf,
} from "@vedette/chain";
import { equalBytes } from "@vedette/crypto";
import { mergeableIdOf } from "@vedette/execution";
import { encodeBlock } from "@vedette/protocol";
import type { FloorPort, NumberEntryPort } from "@vedette/sync";
import type { ExecutorClient } from "../executor/ExecutorClient.js";

/** The sources of the facts that floors need. */
export interface FloorPortParts {
  readonly dag: Dag;
  readonly blocks: Pick<BlockTable, "find">;
  /** The one that `floors` keep what they derive in. */
  readonly cache: StoredFloorCache;
  readonly floors: Floors;
  /** To be waited for before floors are derived. */
  readonly prepare: () => Promise<void>;
  /** Fault tolerance from which a block is final, in parts of a million, as a state has it. */
  readonly tolerance: (stateHash: Uint8Array) => Promise<bigint>;
}

/** The floors of a chain as the synchronization sees them. @spec 61 §16.2, §16.4 */
export function floorPortOf({ dag, blocks, cache, floors, prepare, tolerance }: FloorPortParts): FloorPort {
  const anchor = keptJoinAnchor(dag);
  return {
    find: (hash) => cache.find(hash),
    anchor: () => anchor()?.hash,
    async seedOf(hash) {
      await prepare();
      const block = dag.find(hash);
      if (block === undefined || !canDerive(floors, block)) return undefined;
      const { floor: floorHash, frontier: frontierHash } = cache.find(hash) ?? {};
      const floor = floorHash && dag.find(floorHash);
      const frontier = frontierHash && dag.find(frontierHash);
      if (floor === undefined || frontier === undefined) return undefined;
      return {
        ...{ floorHash: floor.hash, floorNumber: floor.number },
        ...{ frontierHash: frontier.hash, frontierNumber: frontier.number },
      };
    },
    async check({ candidate }, others, given) {
      const find = (hash: Uint8Array) => blocks.find(hash);
      const entries = entriesAtState(candidate.block, others, find);
      const needed = await tolerance(candidate.block.body.state.postStateHash);
      return checkGivenFloors({ blocks: entries, find, given, tolerance: needed });
    },
  };
}

function canDerive(floors: Floors, block: Parameters<Floors["floorOf"]>[0]): boolean {
  try {
    floors.floorOf(block);
    return true;
  } catch (error) {
    if (error instanceof ChainError) return false;
    throw error;
  }
}

/**
 * Offers the executor's data on number channels to the synchronization.
 *
 * @param blocks the blocks that slashes may name
 * @spec 61 §12.2, §16.4
 */
export function numberEntryPortOf(
  executor: Pick<ExecutorClient, "numberEntry" | "takeNumberEntry">,
  execution: Pick<F1r3nodeBlockExecution, "replay">,
  blocks: Pick<BlockTable, "find">,
): NumberEntryPort {
  return {
    find: (block) => executor.numberEntry(mergeableIdOf(block)),
    take: (block, entry) => executor.takeNumberEntry({ block: encodeBlock(block), entry }),
    async make(block) {
      const { preStateHash, postStateHash } = block.body.state;
      const invalidBlocks = slashesOf(block).flatMap(({ invalidBlockHash: hash }) => {
        const sender = blocks.find(hash)?.sender;
        return sender === undefined ? [] : [{ hash, sender }];
      });
      const outcome = await execution.replay({ block, preStateHash, invalidBlocks });
      if (outcome.kind !== "replayed") return outcome.message;
      return equalBytes(outcome.postStateHash, postStateHash) ? undefined : "it leads to another state than it states";
    },
  };
}
