import { printJson, taggedExpr } from "@vedette/api/values";
import {
  type BlockTransfers,
  balances,
  bonds,
  type DeployNote,
  ExecutionError,
  exploreDeploy,
  type Registration,
} from "@vedette/execution";
import { type Bond, encodeStoreItems, type StoreNodeKey } from "@vedette/protocol";
import { type Budget, InterpreterError, type InterpreterFailure } from "@vedette/rholang";
import type { Store } from "@vedette/store";
import type { Par } from "@vedette/terms";
import { exportItems, readOnlyView, StateStore, type StateStoreOptions } from "@vedette/tuplespace";
import type { StateForms } from "../dialect/StateForms.js";
import type { LookupResult } from "../report/LookupResult.js";
import {
  type NotesCall,
  type ReportAnswer,
  type ReportCall,
  ReportReader,
  type TraceAnswer,
  type TraceCall,
  type TransactionsAnswer,
  type TransactionsCall,
  type TransfersCall,
} from "../report/ReportReader.js";
import type { ProgramMemory } from "../thread/ProgramMemory.js";
import { type BoundedExploreAnswer, type BoundedExploreCall, boundedExplore } from "./boundedExplore.js";
import { type PiecesReadAnswer, type PiecesReadCall, piecesRead } from "./piecesRead.js";
import { type EntriesAnswer, type EntriesCall, isThere, stateEntries } from "./stateEntries.js";
import type { StoppedProgram } from "./stopText.js";

/**
 * How terms are rendered: as JSON texts, those of the versioned API, or the bytes that the tuple space keeps.
 *
 * @spec 50 §1.8, §1.10
 */
export type TermOutputFormat = "json" | "tagged" | "bytes";

/** Terms in the requested form; in JSON, parts that cannot be shown are left out. */
export type RenderedTerms =
  | { readonly form: "json" | "tagged"; readonly terms: readonly string[] }
  | { readonly form: "bytes"; readonly terms: readonly Uint8Array[] };

/** A program to run on a state. Plain values, so that it can cross threads. */
export interface ExploreCall {
  readonly root: Uint8Array;
  readonly source: string;
  readonly deployer: Uint8Array;
  readonly signature: Uint8Array;
  /** Milliseconds. */
  readonly timestamp: bigint;
  readonly timeoutMs: number;
  /** Left out: what nodes of the dialect allow. */
  readonly phloLimit?: bigint | undefined;
  readonly form: TermOutputFormat;
}

/** `stopped`: it was given up. */
export type ExploreAnswer =
  | { readonly kind: "values"; readonly values: RenderedTerms /** In phlo. */; readonly cost: bigint }
  /** `failure`: the class of the error; absent where the program failed otherwise. */
  | { readonly kind: "failed"; readonly error: string; readonly failure?: InterpreterFailure["class"] | undefined }
  | ({ readonly kind: "stopped" } & StoppedProgram);

/** A peer's request for a page of a state. */
export interface ExportCall {
  readonly startPath: readonly StoreNodeKey[];
  readonly skip: number;
  readonly take: number;
}

/** A channel of a state. */
export interface DataCall {
  readonly root: Uint8Array;
  /** The canonical bytes of the name. */
  readonly channel: Uint8Array;
  readonly form: TermOutputFormat;
}

/** Channels of a state, in the order of a receive's binds. */
export interface ContinuationsCall {
  readonly root: Uint8Array;
  readonly channels: readonly Uint8Array[];
}

/** A receive that waits: its patterns and what runs then, as the bytes that the tuple space keeps. */
export interface WaitingReceive {
  readonly patterns: readonly Uint8Array[];
  readonly body: Uint8Array;
}

/** Vaults of a state. */
export interface BalancesCall {
  readonly root: Uint8Array;
  readonly addresses: readonly string[];
  readonly timeoutMs: number;
}

/** Unfinished branches of one program; bounds its memory. */
const maxPendingSteps = 2_000_000;

/** The maximum size of the pieces in one answer. */
const maxPieceBytes = 4 << 20;

/** The signals by which a reader gives up, and its deadline. */
export interface ReaderSignals {
  readonly isCancelled: () => boolean;
  readonly nowMs: () => number;
  /** The memory limit of programs; left out if it is not counted. */
  readonly memory?: Pick<ProgramMemory, "programMb" | "isUsedUp">;
  /** Bytes that this thread holds; left out where they are not counted. */
  readonly heldBytes?: (options: { readonly withoutGarbage: boolean }) => number;
}

/** The dialect of the states, and the limits of the reader's caches. */
export interface StateReaderOptions extends Omit<StateStoreOptions, "form"> {
  readonly forms: StateForms;
}

/** Reads states that others wrote. Every method takes one plain value, so that it can be called from elsewhere. */
export class StateReader {
  readonly #store: Store;
  readonly #options: StateStoreOptions;
  readonly #state: StateStore;
  readonly #signals: ReaderSignals;
  readonly #reports: ReportReader;
  readonly #forms: StateForms;

  constructor(store: Store, signals: ReaderSignals, { forms, ...caches }: StateReaderOptions) {
    const options = { ...caches, form: forms.space };
    this.#store = store;
    this.#options = options;
    this.#forms = forms;
    this.#state = new StateStore(store, options);
    this.#signals = signals;
    this.#reports = new ReportReader(store, { forms, budget: (timeoutMs) => this.#budget(timeoutMs) }, options);
  }

  /** Keeps nothing of states in memory that can be read again. */
  dropCaches(): void {
    this.#state.dropCaches();
    this.#reports.dropCaches();
  }

  /** @throws {SpaceError} `unknownRoot` */
  explore({ timeoutMs, form, ...exploration }: ExploreCall): ExploreAnswer {
    const { nowMs, memory } = this.#signals;
    const begunMs = nowMs();
    const budget = this.#budget(timeoutMs);
    try {
      const result = exploreDeploy(this.#state, { ...exploration, form: this.#forms.execution, budget });
      if (result.kind === "failed") {
        const { error } = result;
        return { kind: "failed", error: this.#forms.errorText(error), failure: error.failure.class };
      }
      return { kind: "values", values: this.#render(result.pars, form), cost: result.cost };
    } catch (error) {
      if (!(error instanceof ExecutionError)) throw error;
      if (error.failure.code === "stopped")
        return {
          kind: "stopped",
          reason: error.failure.reason,
          afterMs: nowMs() - begunMs,
          memoryMb: memory?.programMb,
        };
      return { kind: "failed", error: error.message };
    }
  }

  /** Runs a program on a state, and returns what it cost, too. @spec 50 §1.11 */
  boundedExplore(call: BoundedExploreCall): BoundedExploreAnswer {
    if (!isThere(this.#state, call.root)) return { kind: "noState" };
    return boundedExplore(this.#state, call, {
      forms: this.#forms,
      budget: this.#budget(call.timeoutMs, call.memoryBytes),
    });
  }

  /** Which of these states can be read. */
  areHere(roots: readonly Uint8Array[]): readonly boolean[] {
    return roots.map((root) => isThere(this.#state, root));
  }

  /** Nodes and leaves by their hashes, in their order, up to a page of bytes; `undefined` for what is not here. */
  pieces(hashes: readonly Uint8Array[]): readonly (Uint8Array | undefined)[] {
    const found: (Uint8Array | undefined)[] = [];
    let bytes = 0;
    for (const hash of hashes) {
      const piece = this.#state.nodeBytes(hash) ?? this.#state.leafBytes(hash);
      bytes += piece?.length ?? 0;
      // The first is returned whatever its size: otherwise the client could not proceed.
      if (found.length > 0 && bytes > maxPieceBytes) break;
      found.push(piece);
    }
    return found;
  }

  /** The pieces of a state that a program reads. @throws {LeafError}, {HistoryError} @spec 70 §7.4 */
  piecesRead(call: PiecesReadCall): PiecesReadAnswer {
    const options = this.#options;
    return piecesRead(call, { store: this.#store, options, forms: this.#forms, budget: this.#budget(call.timeoutMs) });
  }

  /**
   * Returns the entries of a state below names, and the proof of them. @throws {LeafError}, {HistoryError} @spec 30 §10
   */
  entries(call: EntriesCall): EntriesAnswer {
    const { root } = call;
    return stateEntries(call, { state: this.#state, root, forms: this.#forms, budget: this.#budget(call.timeoutMs) });
  }

  /** The data on a channel, all together. @throws {SpaceError} `unknownRoot`; {DecodeError} @spec 30 §1.11 */
  data({ root, channel, form }: DataCall): RenderedTerms {
    const data = readOnlyView(this.#state, root).data(this.#forms.execution.terms.decodePar(channel));
    return this.#render(
      data.flatMap((datum) => datum.a.pars),
      form,
    );
  }

  /** The receives of programs that wait on channels. @throws {SpaceError} `unknownRoot`; {DecodeError} @spec 30 §1.11 */
  continuations({ root, channels }: ContinuationsCall): readonly WaitingReceive[] {
    const found: WaitingReceive[] = [];
    const { decodePar, encodePar, encodeBindPattern } = this.#forms.execution.terms;
    const names = channels.map((channel) => decodePar(channel));
    for (const { patterns, continuation } of readOnlyView(this.#state, root).continuations(names)) {
      if (continuation.kind !== "ParContinuation") continue;
      found.push({ patterns: patterns.map(encodeBindPattern), body: encodePar(continuation.value.body) });
    }
    return found;
  }

  /** @throws {ExecutionError} `query`; {SpaceError} `unknownRoot` @spec 41 §7.3 */
  bonds(root: Uint8Array): readonly Bond[] {
    return bonds(this.#state, root, { form: this.#forms.execution });
  }

  /** @returns why a program cannot be compiled, in rnode's words; `undefined` when it can @spec 50 §1.9 */
  checkTerm(source: string): string | undefined {
    try {
      this.#forms.execution.grammar.compile(source);
      return undefined;
    } catch (error) {
      if (error instanceof InterpreterError) return this.#forms.errorText(error);
      throw error;
    }
  }

  /** Returns the events of a block. @spec 41 §8.1 */
  report(call: ReportCall): ReportAnswer {
    return this.#reports.report(call);
  }

  /** Returns the transfers of blocks between vaults. @spec 41 §8.3 */
  transfers(call: TransfersCall): readonly LookupResult<BlockTransfers>[] {
    return this.#reports.transfers(call);
  }

  /** Why deploys of a block failed, and what they wrote. @spec 41 §8.4 */
  notes(call: NotesCall): LookupResult<readonly DeployNote[]> {
    return this.#reports.notes(call);
  }

  /** Returns the entries that deploys of a block made in the registry. */
  registrations(call: NotesCall): LookupResult<readonly (readonly Registration[])[]> {
    return this.#reports.registrations(call);
  }

  /** Returns the steps of one deploy of a block. @spec 41 §8.5 */
  trace(call: TraceCall): TraceAnswer {
    return this.#reports.trace(call);
  }

  /** Returns a block's transfers between vaults, in rnode's words. @spec 50 §1.9 */
  transactions(call: TransactionsCall): TransactionsAnswer {
    return this.#reports.transactions(call);
  }

  /** The balances of vaults; `undefined` where the state is not here. @throws {ExecutionError} `query`, `stopped` @spec 41 §10.1 */
  balances({ timeoutMs, ...query }: BalancesCall): readonly bigint[] | undefined {
    if (!isThere(this.#state, query.root)) return undefined;
    return balances(this.#state, { ...query, form: this.#forms.execution, budget: this.#budget(timeoutMs) });
  }

  /** @returns the StoreItemsMessage; `undefined` where there is nothing to answer @throws {StatePageError} */
  exportPage({ startPath, skip, take }: ExportCall): Uint8Array | undefined {
    const page = exportItems(this.#state, startPath, { skip, take });
    return page === undefined ? undefined : encodeStoreItems(page);
  }

  #render(pars: readonly Par[], form: TermOutputFormat): RenderedTerms {
    const { encodePar } = this.#forms.execution.terms;
    if (form === "bytes") return { form, terms: pars.map(encodePar) };
    const terms: string[] = [];
    for (const par of pars) {
      const shown = this.#forms.shown(par);
      if (shown !== undefined) terms.push(printJson(form === "tagged" ? taggedExpr(shown) : shown));
    }
    return { form, terms };
  }

  #budget(timeoutMs: number, memoryBytes = Number.POSITIVE_INFINITY): Budget {
    const { nowMs, isCancelled, memory, heldBytes } = this.#signals;
    const patience = { deadlineMs: nowMs() + timeoutMs, nowMs, isCancelled };
    const most = (heldBytes?.({ withoutGarbage: false }) ?? 0) + memoryBytes;
    // Counting without garbage is dear, so that it is done only where there is too much with it.
    const holdsTooMuch = () =>
      heldBytes !== undefined &&
      heldBytes({ withoutGarbage: false }) > most &&
      heldBytes({ withoutGarbage: true }) > most;
    return {
      ...patience,
      maxPending: maxPendingSteps,
      isOutOfMemory: () => memory?.isUsedUp(patience) === true || holdsTooMuch(),
    };
  }
}
