import {
  type BlockTransfers,
  type DeployFault,
  type DeployNote,
  droppingStore,
  ExecutionError,
  faultsOf,
  findNotes,
  findTransfers,
  type InvalidBlock,
  mergeableIdOf,
  type ProgramTrace,
  type Registration,
  ReportError,
  type ReportedBlock,
  type ReportSink,
  replayState,
  reportBlock,
  reportRegistrations,
  reportTransfers,
  traceDeploy,
  transactionsOf,
} from "@vedette/execution";
import { type Block, decodeBlock } from "@vedette/protocol";
import type { Budget } from "@vedette/rholang";
import type { Store } from "@vedette/store";
import { readForgotten, SpaceError, StateStore, type StateStoreOptions } from "@vedette/tuplespace";
import type { StateForms } from "../dialect/StateForms.js";
import type { LookupResult } from "./LookupResult.js";
import { ReportPrinter } from "./printReport.js";
import { transactionsText } from "./printTransactions.js";
import { ReportEncoder } from "./ReportEncoder.js";
import { ReportTooLargeError } from "./TextWriter.js";

/** A block to look into. Plain values, so that it can cross threads. */
export interface BlockCall {
  /** The block message as received. */
  readonly block: Uint8Array;
  readonly invalidBlocks: readonly InvalidBlock[];
  /**
   * Number of the block with the state that this node began with; left out if it executed all blocks, or it is unknown.
   */
  readonly begunAt?: bigint | undefined;
}

/** A block to report. */
export interface ReportCall extends BlockCall {
  /** As JSON texts, or as encoded messages. */
  readonly form: "json" | "message";
  /** How large the report may become. */
  readonly maxBytes: number;
  readonly timeoutMs: number;
}

/** The deploys' part of a report. @spec 50 §2.2, §3.3 */
export type ReportAnswer =
  | { readonly kind: "json"; readonly text: Uint8Array; readonly postState: Uint8Array }
  | {
      readonly kind: "message";
      readonly deploys: readonly Uint8Array[];
      readonly systemDeploys: readonly Uint8Array[];
      readonly postState: Uint8Array;
    }
  | { readonly kind: "failed"; readonly message: string };

/** The blocks of a request for transfers. */
export interface TransfersCall {
  readonly blocks: readonly BlockCall[];
  readonly timeoutMs: number;
}

/** The block of a request for deploys' notes. */
export interface NotesCall extends BlockCall {
  readonly timeoutMs: number;
}

/** A deploy that is to be traced. */
export interface TraceCall extends BlockCall {
  /** The index of the deploy in the block. */
  readonly index: number;
  readonly timeoutMs: number;
}

/** The steps of a deploy. */
export type TraceAnswer =
  | {
      readonly kind: "traced";
      readonly trace: ProgramTrace;
      readonly cost: bigint;
      readonly errors: readonly DeployFault[];
      readonly systemDeployError: string;
    }
  | { readonly kind: "failed"; readonly message: string };

/** The block of a request for transactions. */
export interface TransactionsCall extends BlockCall {
  readonly timeoutMs: number;
}

/** Transfers as `TransactionResponse`; `miscounted`: the parts of a deploy's report are of a number without meaning. @spec 41 §8.3 */
export type TransactionsAnswer =
  | { readonly kind: "found"; readonly text: string }
  | { readonly kind: "miscounted"; readonly report: string }
  | { readonly kind: "unknown" };

/** Replays blocks for what happened in them, and leaves no trace. */
export class ReportReader {
  readonly #store: Store;
  readonly #state: StateStore;
  readonly #forms: StateForms;
  readonly #budget: (timeoutMs: number) => Budget;

  /** @param options of the forms' states */
  constructor(
    store: Store,
    { forms, budget }: { readonly forms: StateForms; readonly budget: (timeoutMs: number) => Budget },
    options: StateStoreOptions,
  ) {
    this.#store = store;
    this.#state = new StateStore(droppingStore(store), options);
    this.#forms = forms;
    this.#budget = budget;
  }

  /** Keeps nothing of states in memory that can be read again. */
  dropCaches(): void {
    this.#state.dropCaches();
  }

  report({ block: bytes, invalidBlocks, form, maxBytes, timeoutMs }: ReportCall): ReportAnswer {
    const block = this.#blockOf(bytes);
    const replay = (sink: ReportSink) =>
      reportBlock(this.#state, { ...this.#replayOf(block), invalidBlocks, budget: this.#budget(timeoutMs) }, sink);
    try {
      if (form === "json") {
        const printer = new ReportPrinter(block, maxBytes);
        const postState = replay(printer);
        return { kind: "json", text: encoder.encode(printer.text), postState };
      }
      const encoded = new ReportEncoder(block, { terms: this.#forms.execution.terms, maxBytes });
      const postState = replay(encoded);
      const { deploys, systemDeploys } = encoded;
      return { kind: "message", deploys, systemDeploys, postState };
    } catch (error) {
      if (isRefusal(error)) return { kind: "failed", message: error.message };
      throw error;
    }
  }

  /** Returns the transfers of blocks: as they were stored at execution, otherwise by replaying them. */
  transfers({ blocks, timeoutMs }: TransfersCall): readonly LookupResult<BlockTransfers>[] {
    const budget = this.#budget(timeoutMs);
    return blocks.map((call) => {
      const block = this.#blockOf(call.block);
      const noted = findTransfers(this.#store, mergeableIdOf(block));
      if (noted !== undefined) return { kind: "found", value: noted };
      return this.#replayed(block, call, (replay) => reportTransfers(this.#state, { ...replay, budget }));
    });
  }

  /**
   * Why the deploys of a block failed, and what they wrote: as it was noted when the block was executed, otherwise by
   * replaying it.
   *
   * @throws {ExecutionError} `stopped`
   * @spec 41 §8.4
   */
  notes({ timeoutMs, ...call }: NotesCall): LookupResult<readonly DeployNote[]> {
    const block = this.#blockOf(call.block);
    const noted = findNotes(this.#store, mergeableIdOf(block));
    if (noted !== undefined) return { kind: "found", value: noted };
    const budget = this.#budget(timeoutMs);
    return this.#replayed(block, call, (replay) => {
      const replayed = replayState(this.#state, { ...replay, budget }, this.#forms.execution);
      return "failure" in replayed ? undefined : replayed.notes;
    });
  }

  /**
   * Returns the entries that each deploy of a block made in the registry, found by replaying it.
   *
   * @throws {ExecutionError} `stopped`
   */
  registrations({ timeoutMs, ...call }: NotesCall): LookupResult<readonly (readonly Registration[])[]> {
    const budget = this.#budget(timeoutMs);
    return this.#replayed(this.#blockOf(call.block), call, (replay) =>
      reportRegistrations(this.#state, { ...replay, budget }),
    );
  }

  /** Returns the steps of one deploy of a block. @spec 41 §8.5 */
  trace({ block: bytes, invalidBlocks, index, timeoutMs }: TraceCall): TraceAnswer {
    const block = this.#blockOf(bytes);
    try {
      const traced = { ...this.#replayOf(block), invalidBlocks, budget: this.#budget(timeoutMs) };
      const found = traceDeploy(this.#state, traced, index);
      if ("code" in found) return { kind: "failed", message: `The block cannot be replayed here: ${found.code}.` };
      const { cost, errors, systemDeployError, ...trace } = found;
      return { kind: "traced", trace, cost, errors: faultsOf(errors), systemDeployError };
    } catch (error) {
      if (isRefusal(error)) return { kind: "failed", message: error.message };
      throw error;
    }
  }

  /** @spec 41 §8.3, 50 §1.9 */
  transactions({ timeoutMs, ...call }: TransactionsCall): TransactionsAnswer {
    const [transfers] = this.transfers({ blocks: [call], timeoutMs });
    if (transfers?.kind !== "found") return { kind: "unknown" };
    const block = this.#blockOf(call.block);
    const transactions = transactionsOf(block, transfers.value);
    // An empty report is the only one that replaying can leave with such a number.
    if (transactions === undefined) return { kind: "miscounted", report: "List()" };
    return { kind: "found", text: transactionsText(block, transactions, this.#forms.execution.terms) };
  }

  /**
   * Replays a block of which nothing is noted, and returns what that shows.
   *
   * The results of executing a block are written in one transaction with the state that it leads to. Where that state
   * is not seen either, the executor may just not have written it yet, and the result must not be "never".
   *
   * @param replay `undefined` for a block that cannot be replayed
   */
  #replayed<T>(
    block: Block,
    { invalidBlocks, begunAt }: BlockCall,
    replay: (block: ReportedBlock) => T | undefined,
  ): LookupResult<T> {
    let value: T | undefined;
    try {
      value = replay({ ...this.#replayOf(block), invalidBlocks });
    } catch (error) {
      if (!isRefusal(error) || (error instanceof ExecutionError && error.failure.code === "stopped")) throw error;
    }
    if (value !== undefined) return { kind: "found", value };
    const { postStateHash } = block.body.state;
    if (this.#state.hasRoot(postStateHash)) return { kind: "never" };
    // Below the state that a node began with, or has forgotten, no block is ever executed.
    const forgottenBelow = readForgotten(this.#store.table("roots")) ?? 0n;
    const isLater = block.number >= forgottenBelow && block.number > (begunAt ?? -1n);
    return { kind: isLater ? "notYet" : "never" };
  }

  #blockOf(bytes: Uint8Array): Block {
    return decodeBlock(bytes, this.#forms.block);
  }

  #replayOf(block: Block): Pick<ReportedBlock, "block" | "preState" | "form"> {
    return { block, preState: block.body.state.preStateHash, form: this.#forms.execution };
  }
}

const encoder = new TextEncoder();

function isRefusal(error: unknown): error is Error {
  return (
    error instanceof ReportTooLargeError ||
    error instanceof ReportError ||
    error instanceof ExecutionError ||
    error instanceof SpaceError
  );
}
