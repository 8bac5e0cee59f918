import { bonds, ExecutionError, type InvalidBlock, printReplayFailure, replayBlock } from "@vedette/execution";
import { type Bond, decodeBlock, decodeStoreItems, type StoreNodeKey } from "@vedette/protocol";
import { bootstrapRegistry, installSystemProcesses, matchDatum } from "@vedette/rholang";
import type { Store } from "@vedette/store";
import {
  type CheckedPage,
  emptyRoot,
  findMissing,
  importItems,
  PlaySpace,
  StateStore,
  type StateStoreOptions,
} from "@vedette/tuplespace";

/** A block to execute. Plain values, so that it can cross threads. */
export interface ReplayCall {
  /** The block message as received. */
  readonly block: Uint8Array;
  readonly preState: Uint8Array;
  readonly invalidBlocks: readonly InvalidBlock[];
}

/** What came of it. @spec 41 §4.4 */
export type ReplayAnswer =
  | { readonly kind: "replayed"; readonly postStateHash: Uint8Array; readonly bonds: readonly Bond[] }
  /** The block is wrong. */
  | { readonly kind: "failed"; readonly message: string }
  /** Nothing is known of the block: a platform failure, or an exception of the reference's host. */
  | { readonly kind: "exception"; readonly message: string };

/** A page of another node's state. */
export interface StatePage {
  readonly startPath: readonly StoreNodeKey[];
  /** Nodes that were asked for. */
  readonly take: number;
  /** The StoreItemsMessage as received. */
  readonly page: Uint8Array;
}

/**
 * Executes blocks and takes imported states; the only writer of the state store.
 *
 * Every method takes one plain value, so that it can be called from another thread.
 */
export class StateExecutor {
  readonly #state: StateStore;

  constructor(store: Store, options: StateStoreOptions = {}) {
    this.#state = new StateStore(store, options);
  }

  /** Makes the state on which genesis runs. @returns its root @spec 41 §1.3 */
  makeEmptyState(): Uint8Array {
    const space = new PlaySpace(this.#state, matchDatum, emptyRoot);
    installSystemProcesses(space);
    bootstrapRegistry(space);
    return space.checkpoint().root;
  }

  /** Executes a block and commits the state it leads to. @spec 41 §4.2 */
  replay({ block: bytes, preState, invalidBlocks }: ReplayCall): ReplayAnswer {
    try {
      const result = replayBlock(this.#state, { block: decodeBlock(bytes), preState, invalidBlocks });
      if ("failure" in result) {
        const message = `${printReplayFailure(result.failure)} (deploy ${result.deployIndex})`;
        return { kind: result.failure.code === "InternalError" ? "exception" : "failed", message };
      }
      return { kind: "replayed", postStateHash: result.postState, bonds: bonds(this.#state, result.postState) };
    } catch (error) {
      if (error instanceof ExecutionError) return { kind: "exception", message: error.message };
      throw error;
    }
  }

  /** @throws {ExecutionError} `query` */
  bonds(root: Uint8Array): readonly Bond[] {
    return bonds(this.#state, root);
  }

  hasRoot(root: Uint8Array): boolean {
    return this.#state.hasRoot(root);
  }

  recordRoot(root: Uint8Array): void {
    this.#state.recordRoot(root);
  }

  /** Roots of subtrees of which something is absent. @spec 30 §6.7 */
  missing(root: Uint8Array): readonly Uint8Array[] {
    return findMissing(this.#state, root).nodes;
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
