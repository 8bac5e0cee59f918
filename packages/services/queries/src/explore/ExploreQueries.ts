import type { BlockMetadata } from "@vedette/chain";
import type { ExploreAnswer, RenderedTerms, TermOutputFormat } from "@vedette/executor";
import { ApiError } from "../ApiError.js";
import type { BlockQueries } from "../block/BlockQueries.js";
import { shownName, strictBytesOfName } from "../state/longNames.js";

/** The values that a program returned, and its cost in phlo. */
export type ExploreValues = RenderedTerms & { readonly cost: bigint };

/** Why a program returned nothing. */
export interface ProgramFailure {
  /** In rnode's words. */
  readonly error: string;
  /** The error's class; absent where the program failed otherwise. */
  readonly failure?: Extract<ExploreAnswer, { kind: "failed" }>["failure"];
}

/** Runs an exploratory deploy somewhere: in this thread or in one of the readers. */
export interface Explorer {
  /**
   * @param root state root: 32 bytes
   * @returns the processes on the return channel with what the program cost, or rnode's text of the error
   * @throws {ApiError} when it was refused or given up
   */
  explore(
    root: Uint8Array,
    source: string,
    options: { readonly form: TermOutputFormat; readonly client?: string | undefined },
    signal: AbortSignal,
  ): Promise<ExploreValues | ProgramFailure>;
}

/** A program to run, and where. */
export interface ExploreRequest {
  readonly term: string;
  /** The hash of the block with the state for the program, as the client gave it; empty for the last finalized one. */
  readonly blockHash: string;
  readonly usePreStateHash: boolean;
  /** The address from which it came, where that is known. */
  readonly client?: string | undefined;
}

/** The values that a program left on its return channel, and the block it was run at. */
export interface Explored {
  readonly values: RenderedTerms;
  readonly block: BlockMetadata;
  /** In phlo; only on f1r3node networks. @spec 50 §10 */
  readonly cost: bigint | undefined;
}

/** How a node answers programs. */
export interface ExploreOptions {
  /** On a node without a validator's key, or in dev mode. @spec 50 §9 */
  readonly isAllowed: boolean;
  /** Whether answers have the cost, as on f1r3node networks. @spec 50 §10 */
  readonly reportsCost: boolean;
}

/** Answers of programs that are run on a state without leaving a trace. @spec 50 §1.9 */
export class ExploreQueries {
  readonly #blocks: BlockQueries;
  readonly #explorer: Explorer;
  readonly #options: ExploreOptions;

  constructor(blocks: BlockQueries, explorer: Explorer, options: ExploreOptions) {
    this.#blocks = blocks;
    this.#explorer = explorer;
    this.#options = options;
  }

  /** Runs a program on the last finalized state. @throws {ApiError} @spec 50 §1.9 */
  onLastFinalized(source: string, signal: AbortSignal, client?: string): Promise<string> {
    return this.atBlock({ term: source, blockHash: "", usePreStateHash: false, client }, signal);
  }

  /** Runs a program on a block's state. @returns `RhoDataResponse` as text @throws {ApiError} @spec 50 §1.9 */
  async atBlock(request: ExploreRequest, signal: AbortSignal, form: "json" | "tagged" = "json"): Promise<string> {
    return this.responseText(await this.explore(request, form, signal));
  }

  /** `RhoDataResponse` as text. @spec 50 §1.7 */
  responseText({ values, block, cost }: Explored): string {
    const costText = cost === undefined ? "" : `,"cost":${cost}`;
    return `{"expr":[${values.terms.join(",")}],"block":${this.#blocks.lightText(block)}${costText}}`;
  }

  /** Runs a program on a block's state. @throws {ApiError} @spec 50 §1.9, §3.4 */
  async explore(request: ExploreRequest, form: TermOutputFormat, signal: AbortSignal): Promise<Explored> {
    const end = await this.attempt(request, form, signal);
    if ("error" in end) throw new ApiError(`Unexpected error while capturing results from Rholang: ${end.error}`);
    return end;
  }

  /** As {@link explore}; a program's failure is an answer. @throws {ApiError} */
  async attempt(
    request: ExploreRequest,
    form: TermOutputFormat,
    signal: AbortSignal,
  ): Promise<Explored | ProgramFailure> {
    if (!this.#options.isAllowed)
      throw new ApiError("Exploratory deploy can only be executed on read-only RNode.", { reason: "readOnlyWanted" });
    const block = this.#requireState(request.blockHash);
    const root = request.usePreStateHash && request.blockHash !== "" ? block.preStateHash : block.postStateHash;
    const values = await this.#explorer.explore(root, request.term, { form, client: request.client }, signal);
    if ("error" in values) return values;
    return { values, block, cost: this.#options.reportsCost ? values.cost : undefined };
  }

  #requireState(blockHash: string): BlockMetadata {
    const lastFinalized = this.#requireLastFinalized();
    if (blockHash === "") return lastFinalized;
    const hash = strictBytesOfName(blockHash);
    if (hash === undefined)
      throw new ApiError("coop.rchain.casper.api.BlockAPI$BlockRetrievalError", {
        kind: "nameless",
        reason: "invalidHash",
      });
    const block = this.#blocks.find(hash);
    // Quirk 50 §1.9: the option that the hash was wrapped in is printed too.
    if (block === undefined)
      throw new ApiError(`Can not find block Some(${shownName(blockHash)})`, { reason: "unknownBlock" });
    return block;
  }

  #requireLastFinalized(): BlockMetadata {
    try {
      return this.#blocks.requireLastFinalized();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const text = "Error: Could not execute exploratory deploy, casper instance was not available yet.";
      throw new ApiError(text, { cause: error, reason: "notRunning" });
    }
  }
}
