import { bonds, ExecutionError, type InvalidBlock, printReplayFailure, replayBlock } from "@vedette/execution";
import { type Bond, decodeBlock, decodeStoreItems, type StoreNodeKey } from "@vedette/protocol";
import { bootstrapRegistry, installSystemProcesses, matchDatum } from "@vedette/rholang";
import type { Store } from "@vedette/store";
import { type CheckedPage, emptyRoot, importItems, PlaySpace, StateStore } from "@vedette/tuplespace";

/** A block to execute. Plain values, so that it can cross threads. */
export interface ReplayRequest {
  /** The block message as received. */
  readonly block: Uint8Array;
  readonly preState: Uint8Array;
  readonly invalidBlocks: readonly InvalidBlock[];
}

/** What came of it. @spec 41 §4.4 */
export type ReplayAnswer =
  | { readonly kind: "replayed"; readonly postState: Uint8Array; readonly milliseconds: number }
  /** The block is wrong. */
  | { readonly kind: "refused"; readonly text: string }
  /** Nothing is known of the block: a platform failure, or an exception of the reference's host. */
  | { readonly kind: "exception"; readonly text: string };

/** A page of another node's state. */
export interface StatePage {
  readonly startPath: readonly StoreNodeKey[];
  /** Nodes that were asked for. */
  readonly take: number;
  /** The StoreItemsMessage as received. */
  readonly page: Uint8Array;
}

/**
 * Executes blocks; the only writer of the state store.
 *
 * @spec design "Threads"
 */
export class StateExecutor {
  readonly #state: StateStore;
  readonly #nowMs: () => number;

  constructor(store: Store, nowMs: () => number) {
    this.#state = new StateStore(store);
    this.#nowMs = nowMs;
  }

  /** Makes the state on which genesis runs. @returns its root @spec 41 §1.3 */
  makeEmptyState(): Uint8Array {
    const space = new PlaySpace(this.#state, matchDatum, emptyRoot);
    installSystemProcesses(space);
    bootstrapRegistry(space);
    return space.checkpoint().root;
  }

  replay(request: ReplayRequest): ReplayAnswer {
    const started = this.#nowMs();
    const block = decodeBlock(request.block);
    try {
      const { preState, invalidBlocks } = request;
      const result = replayBlock(this.#state, { block, preState, invalidBlocks });
      if ("failure" in result) {
        const text = printReplayFailure(result.failure);
        const kind = result.failure.code === "InternalError" ? "exception" : "refused";
        return { kind, text: `${text} (deploy ${result.deployIndex})` };
      }
      return { kind: "replayed", postState: result.postState, milliseconds: this.#nowMs() - started };
    } catch (error) {
      if (error instanceof ExecutionError) return { kind: "exception", text: error.message };
      throw error;
    }
  }

  /** @throws {ExecutionError} `query` */
  bonds(root: Uint8Array): Bond[] {
    return bonds(this.#state, root);
  }

  hasRoot(root: Uint8Array): boolean {
    return this.#state.hasRoot(root);
  }

  recordRoot(root: Uint8Array): void {
    this.#state.recordRoot(root);
  }

  /**
   * Checks a page of state items and writes it.
   *
   * @throws {TransferError} when the page does not hold what was asked for; nothing is written then
   * @spec 30 §6.6
   */
  importPage({ startPath, take, page }: StatePage): CheckedPage {
    return importItems(this.#state, { startPath, take }, decodeStoreItems(page));
  }
}
