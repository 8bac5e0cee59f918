import { errorText } from "@vedette/errors";
import { checkGivenOutcome, type MergeableId, ReportError, writeGivenOutcome } from "@vedette/execution";
import { type Bond, decodeStoreItems, type StoreNodeKey } from "@vedette/protocol";
import { BatchingStore, type Store } from "@vedette/store";
import {
  findMissing,
  type GivenState,
  HistoryError,
  importItems,
  importStateDiff,
  LeafError,
  type PruningStep,
  StatePruning,
  StateStore,
  type StateStoreOptions,
  type WrittenPage,
} from "@vedette/tuplespace";

/** A page of another node's state. */
export interface StatePage {
  readonly startPath: readonly StoreNodeKey[];
  /** The number of requested nodes. */
  readonly take: number;
  /** The StoreItemsMessage as received. */
  readonly page: Uint8Array;
}

/** A state that another node computed, with the block that leads to it. */
export interface AdoptCall extends GivenState {
  /** The sender of the block. */
  readonly sender: Uint8Array;
  readonly sequenceNumber: number;
  /** The stored outcome of executing it; `undefined` if it was not given. */
  readonly outcome: Uint8Array | undefined;
}

/** The stored outcome of executing a block, and the block's id. */
export interface OutcomeCall extends MergeableId {
  readonly outcome: Uint8Array;
}

/** The result of adopting a state. */
export type AdoptAnswer =
  | { readonly kind: "adopted"; readonly bonds: readonly Bond[] }
  /** The state that the given one is based on is not here. */
  | { readonly kind: "unbased" }
  /** Something is wrong with what was given. Nothing was written. */
  | { readonly kind: "refused"; readonly reason: string };

/** States to forget. */
export interface ForgetCall {
  readonly roots: readonly Uint8Array[];
  /** The height below which states are no longer kept. */
  readonly below: bigint;
}

/** How long, and whether a round may begin. */
export interface PruneCall {
  readonly mayBegin: boolean;
  readonly budgetMs: number;
}

/** States that are held in groups go to disk at once when they take this much. */
const maxHeldBytes = 64 << 20;

/**
 * Takes, keeps and forgets states, of whatever dialect its store is; the only writer of the state store.
 *
 * Every method takes one plain value, so that it can be called from another thread.
 */
export abstract class StateStoreWriter {
  protected readonly store: Store;
  protected readonly state: StateStore;
  readonly #held: BatchingStore | undefined;
  readonly #pruning: StatePruning;

  constructor(store: Store, options: StateStoreOptions) {
    this.store = store;
    this.#held = store instanceof BatchingStore ? store : undefined;
    this.state = new StateStore(store, options);
    this.#pruning = new StatePruning(store, this.state, () => performance.now());
  }

  /** The bonds in a state. @throws {ExecutionError} `query` */
  abstract bonds(root: Uint8Array): readonly Bond[];

  /**
   * Brings to disk what is held in memory, where the store holds any.
   *
   * @returns whether these states are there
   */
  flush(roots: readonly Uint8Array[]): boolean {
    this.#held?.flush();
    return roots.every((root) => this.state.hasRoot(root));
  }

  /** Whether states are held in memory from now on, where the store can; where not, what was held comes to disk first. */
  hold(isHolding: boolean): void {
    if (isHolding) this.#held?.hold();
    else this.#held?.release();
  }

  /** Keeps nothing of states in memory that can be read again. */
  dropCaches(): void {
    this.state.dropCaches();
  }

  /** To be called after each block: what is held must not grow without end. */
  protected relieve(): void {
    if (this.#held !== undefined && this.#held.heldBytes > maxHeldBytes) this.#held.flush();
  }

  hasRoot(root: Uint8Array): boolean {
    return this.state.hasRoot(root);
  }

  /**
   * Stores states that another node has computed, checked by their hashes, in one transaction.
   *
   * @returns the result of each, up to the first that was not adopted
   * @spec 30 §5.5
   */
  adopt(calls: readonly AdoptCall[]): readonly AdoptAnswer[] {
    const answers: AdoptAnswer[] = [];
    this.store.together(() => {
      for (const call of calls) {
        const answer = this.#adoptOne(call);
        answers.push(answer);
        if (answer.kind !== "adopted") return;
      }
    });
    return answers;
  }

  /**
   * Keeps what executing a block has shown where the state that it leads to is not here, and will not be.
   *
   * @returns why it cannot be what executing a block shows; nothing is written then
   */
  noteOutcome({ outcome, ...id }: OutcomeCall): string | undefined {
    try {
      checkGivenOutcome(outcome);
    } catch (error) {
      if (error instanceof ReportError) return errorText(error);
      throw error;
    }
    this.store.write((tables) => writeGivenOutcome(tables, id, outcome));
    return undefined;
  }

  #adoptOne({ sender, sequenceNumber, outcome, ...given }: AdoptCall): AdoptAnswer {
    const id = { postState: given.root, sender, sequenceNumber };
    if (!this.state.hasRoot(given.base)) return { kind: "unbased" };
    try {
      if (outcome !== undefined) checkGivenOutcome(outcome);
      importStateDiff(this.state, given, (tables) => {
        if (outcome !== undefined) writeGivenOutcome(tables, id, outcome);
      });
    } catch (error) {
      const isWrong = error instanceof HistoryError || error instanceof LeafError || error instanceof ReportError;
      if (!isWrong) throw error;
      return { kind: "refused", reason: errorText(error) };
    }
    return { kind: "adopted", bonds: this.bonds(given.root) };
  }

  recordRoot(root: Uint8Array): void {
    this.#pruning.copying();
    this.state.recordRoot(root);
    // It came from peers, and no block makes it again.
    this.flush([]);
  }

  /** Forgets states that are no longer wanted. @spec 30 §5.9 */
  forgetStates({ roots, below }: ForgetCall): void {
    this.#pruning.forget(roots, below);
  }

  /** The height below which states were forgotten. */
  forgottenBelow(): bigint | undefined {
    return this.#pruning.forgottenBelow;
  }

  /** Throws some of what no state needs away. @spec 30 §5.9 */
  prune({ mayBegin, budgetMs }: PruneCall): PruningStep {
    return this.#pruning.step(mayBegin, budgetMs);
  }

  /** Roots of subtrees of which something is absent. @spec 30 §6.7 */
  missing(root: Uint8Array): readonly Uint8Array[] {
    this.#pruning.copying();
    return findMissing(this.state, root).nodes;
  }

  /**
   * Checks a page of state items and writes it.
   *
   * @throws {StatePageError} if it is not the requested page; nothing is written then
   * @spec 30 §6.6
   */
  importPage({ startPath, take, page }: StatePage): WrittenPage {
    this.#pruning.copying();
    return importItems(this.state, { startPath, take }, decodeStoreItems(page));
  }
}
