import { printJson, rhoExprsOf } from "@vedette/api";
import { ExecutionError, exploreDeploy } from "@vedette/execution";
import { encodeStoreItems, type StoreNodeKey } from "@vedette/protocol";
import type { Store } from "@vedette/store";
import { exportItems, StateStore, type StateStoreOptions } from "@vedette/tuplespace";

/** A program to run on a state. Plain values, so that it can cross threads. */
export interface ExploreCall {
  readonly root: Uint8Array;
  readonly source: string;
  readonly deployer: Uint8Array;
  readonly signature: Uint8Array;
  /** Milliseconds. */
  readonly timestamp: bigint;
  readonly timeoutMs: number;
}

/** `stopped`: it was given up. */
export type ExploreAnswer =
  | { readonly kind: "values"; readonly expr: string }
  | { readonly kind: "failed"; readonly error: string }
  | { readonly kind: "stopped"; readonly reason: string };

/** A peer's request for a page of a state. */
export interface ExportCall {
  readonly startPath: readonly StoreNodeKey[];
  readonly skip: number;
  readonly take: number;
}

/** Unfinished branches of one program; bounds its memory. */
const maxPendingSteps = 2_000_000;

/** What tells a reader to give up, and when. */
export interface ReaderSignals {
  readonly isCancelled: () => boolean;
  readonly nowMs: () => number;
  readonly isOutOfMemory: () => boolean;
}

/** Reads states that others wrote. Every method takes one plain value, so that it can be called from elsewhere. */
export class StateReader {
  readonly #state: StateStore;
  readonly #isCancelled: () => boolean;
  readonly #nowMs: () => number;
  readonly #isOutOfMemory: () => boolean;

  constructor(store: Store, { isCancelled, nowMs, isOutOfMemory }: ReaderSignals, options: StateStoreOptions = {}) {
    this.#state = new StateStore(store, options);
    this.#isCancelled = isCancelled;
    this.#nowMs = nowMs;
    this.#isOutOfMemory = isOutOfMemory;
  }

  /** @throws {SpaceError} `unknownRoot` */
  explore({ timeoutMs, ...exploration }: ExploreCall): ExploreAnswer {
    const budget = {
      maxPending: maxPendingSteps,
      deadlineMs: this.#nowMs() + timeoutMs,
      nowMs: this.#nowMs,
      isCancelled: this.#isCancelled,
      isOutOfMemory: this.#isOutOfMemory,
    };
    try {
      const result = exploreDeploy(this.#state, { ...exploration, budget });
      if (result.kind === "failed") return { kind: "failed", error: result.error.referenceText() };
      return { kind: "values", expr: printJson(rhoExprsOf(result.pars)) };
    } catch (error) {
      if (!(error instanceof ExecutionError)) throw error;
      if (error.failure.code === "stopped") return { kind: "stopped", reason: error.failure.reason };
      return { kind: "failed", error: error.message };
    }
  }

  /** @returns the StoreItemsMessage; `undefined` where there is nothing to answer @throws {TransferError} */
  exportPage({ startPath, skip, take }: ExportCall): Uint8Array | undefined {
    const page = exportItems(this.#state, startPath, { skip, take });
    return page === undefined ? undefined : encodeStoreItems(page);
  }
}
