import {
  type BlockFloor,
  BlockLineage,
  ChainError,
  checkGivenFloors,
  type DerivedFloor,
  entriesAtState,
  type FloorCache,
  Floors,
  genesisFirst,
  MemoryFloorCache,
  StateLineage,
  StoredFloorCache,
} from "@vedette/chain";
import { errorText } from "@vedette/errors";
import { F1r3nodeStates, mergeableIdOf } from "@vedette/execution";
import { type Block, type FloorSeed, hashKey } from "@vedette/protocol";
import type { Store } from "@vedette/store";
import { horizonOf, lowestOf } from "@vedette/sync";
import { HistoryError, LeafError, MergeError, StateStore } from "@vedette/tuplespace";
import type { SnapshotSource } from "../SnapshotSource.js";
import type { NumberEntries, SnapshotFloors, SnapshotState } from "./SnapshotFloors.js";

/** Default configuration of nodes. @spec 61 §18 */
const depths = { parentDepth: 15n, depthBuffer: 10n };

/** Fault tolerance from which a block is final, in parts of a million, as the state after a block has it. */
type ToleranceIn = (block: Block, state: SnapshotState) => bigint;

/** @spec 61 §13.3, §16.4 */
export const f1r3nodeFloors: SnapshotFloors = f1r3nodeFloorsOfChain(({ body }, { store, form }) =>
  new F1r3nodeStates(store, new StateStore(store, { form })).faultTolerance(body.state.postStateHash),
);

/** Floors of an f1r3node network, with the tolerance from wherever it is. */
export function f1r3nodeFloorsOfChain(toleranceIn: ToleranceIn): SnapshotFloors {
  return {
    firstMessage: genesisFirst,
    lowest: (block, floors, find) => lowestOf(block.number, depths, seedOf(block, floors, find)),
    horizon(block, floors, find) {
      const usual = horizonOf(block.number, depths);
      const seed = seedOf(block, floors, find);
      // Where finality is far behind, blocks above are merged on what lies lower.
      return [seed?.floorNumber, seed?.frontierNumber].reduce<bigint>(
        (least, height) => (height !== undefined && height < least ? height : least),
        usual,
      );
    },
    numbers: ({ store, form }) => numbersIn(new F1r3nodeStates(store, new StateStore(store, { form }))),
    collect: (source, block, hashes) =>
      claimedFloors(source, hashes, toleranceIn(block, { store: source.state, form: source.form })),
    check({ block, others, floors, find, state }) {
      const given = new Map(floors.map(({ hash, ...derived }) => [hashKey(hash), derived] as const));
      const blocks = entriesAtState(block, others, find);
      const tolerance = toleranceIn(block, state);
      const { floors: known, contradicted } = checkGivenFloors({ blocks, find, given, tolerance });
      const [wrong] = contradicted;
      return wrong === undefined ? { floors: known } : { wrong };
    },
  };
}

function seedOf(
  block: Block,
  floors: readonly BlockFloor[],
  find: (hash: Uint8Array) => Block | undefined,
): FloorSeed | undefined {
  const own = floors.find(({ hash }) => hashKey(hash) === hashKey(block.hash));
  const [floor, frontier] = [own?.floor, own?.frontier].map((hash) => hash && find(hash));
  if (floor === undefined || frontier === undefined) return undefined;
  const heights = { floorNumber: floor.number, frontierNumber: frontier.number };
  return { floorHash: floor.hash, frontierHash: frontier.hash, ...heights };
}

function numbersIn(states: F1r3nodeStates): NumberEntries {
  return {
    find: (block) => states.findNumberEntry(mergeableIdOf(block)),
    take(block, entry) {
      try {
        states.takeNumberEntry(block, entry);
        return undefined;
      } catch (error) {
        if (!(error instanceof MergeError || error instanceof HistoryError || error instanceof LeafError)) throw error;
        return errorText(error);
      }
    },
  };
}

function claimedFloors(
  { dag, blocks, chain }: SnapshotSource,
  hashes: readonly Uint8Array[],
  tolerance: bigint,
): readonly BlockFloor[] {
  const cache = new ReadFloors(chain);
  const lineage = new StateLineage(dag, new BlockLineage(blocks));
  const floors = new Floors({ dag, lineage, cache, tolerance: () => tolerance });
  const claimed: BlockFloor[] = [];
  for (const hash of hashes) {
    const found = dag.find(hash);
    if (found === undefined) continue;
    try {
      floors.floorOf(found);
    } catch (error) {
      // The floor of the node's own first block may be unknown to it.
      if (error instanceof ChainError) continue;
      throw error;
    }
    const derived = cache.find(hash);
    if (derived !== undefined) claimed.push({ hash, ...derived });
  }
  return claimed;
}

/** Floors as a node has kept them; what is derived stays here. */
class ReadFloors implements FloorCache {
  readonly #stored: FloorCache | undefined;
  readonly #derived = new MemoryFloorCache(Number.POSITIVE_INFINITY);

  constructor(chain: Store | undefined) {
    this.#stored = chain && new StoredFloorCache(chain);
  }

  find(hash: Uint8Array): DerivedFloor | undefined {
    return this.#derived.find(hash) ?? this.#stored?.find(hash);
  }

  put(hash: Uint8Array, derived: DerivedFloor): void {
    this.#derived.put(hash, derived);
  }
}
