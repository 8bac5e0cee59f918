import { errorText } from "@vedette/errors";
import type { Block } from "@vedette/protocol";
import { type GivenState, HistoryError, importStateDiff, LeafError, type StateStore } from "@vedette/tuplespace";
import { entriesOf } from "../chunk/chunkFormat.js";
import type { OpenedChunk } from "../chunk/readChunks.js";
import type { NumberEntries } from "../floors/SnapshotFloors.js";
import { beginsHorizon, type HorizonSink } from "./HorizonReader.js";

/** Puts what a snapshot has of a horizon where a joining node puts it: each state once nothing of it is missing. */
export class StoredHorizon implements HorizonSink {
  readonly #states: StateStore;
  readonly #numbers: NumberEntries;

  constructor(states: StateStore, numbers: NumberEntries) {
    this.#states = states;
    this.#numbers = numbers;
  }

  has(root: Uint8Array): boolean {
    return this.#states.hasRoot(root);
  }

  state(given: GivenState): string | undefined {
    try {
      importStateDiff(this.#states, given);
      return undefined;
    } catch (error) {
      if (error instanceof LeafError) return errorText(error);
      if (!(error instanceof HistoryError)) throw error;
      const { failure } = error;
      if (failure.code === "nodeMissing" || failure.code === "leafMissing") return "it is not whole";
      return errorText(error);
    }
  }

  numbers(block: Block, entry: Uint8Array): string | undefined {
    return this.#numbers.take(block, entry);
  }

  hasNumbers(block: Block): boolean {
    return this.#numbers.find(block) !== undefined;
  }
}

/** Whether a chunk has earlier states, and no part of the snapshot's own. */
export function isOfHorizon({ facts, bytes }: OpenedChunk): boolean {
  const [first] = entriesOf(facts.hash, bytes);
  return beginsHorizon(first?.kind);
}
