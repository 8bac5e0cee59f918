import type { BlockMetadata } from "@vedette/chain";
import type { TermForm, ToldTerms } from "@vedette/workers";
import { ApiError } from "../ApiError.js";
import type { BlockQueries } from "../block/BlockQueries.js";
import { shownName, strictBytesOfName } from "../state/longNames.js";

/** Runs an exploratory deploy somewhere: in this thread or in one of the readers. */
export interface Explorer {
  /**
   * @param root state root: 32 bytes
   * @returns the processes on the return channel, or the reference's text of the error
   * @throws {ApiError} when it was refused or given up
   */
  explore(
    root: Uint8Array,
    source: string,
    options: { readonly form: TermForm; readonly client?: string | undefined },
    signal: AbortSignal,
  ): Promise<ToldTerms | { readonly error: string }>;
}

/** A program to run, and where. */
export interface ExploreRequest {
  readonly term: string;
  /** Of the block whose state it is to see, as the client gave it; empty for the last finalized one. */
  readonly blockHash: string;
  readonly usePreStateHash: boolean;
  /** The address from which it came, where that is known. */
  readonly client?: string | undefined;
}

/** What a program left on its return channel, and the block it was run at. */
export interface Explored {
  readonly values: ToldTerms;
  readonly block: BlockMetadata;
}

/** Answers of programs that are run on a state without leaving a trace. @spec 50 §1.9 */
export class ExploreQueries {
  readonly #blocks: BlockQueries;
  readonly #explorer: Explorer;
  readonly #isAllowed: boolean;

  /** @param isAllowed on a node without a validator's key, or in dev mode @spec 50 §9 */
  constructor(blocks: BlockQueries, explorer: Explorer, isAllowed = true) {
    this.#blocks = blocks;
    this.#explorer = explorer;
    this.#isAllowed = isAllowed;
  }

  /** Runs a program on the last finalized state. @throws {ApiError} @spec 50 §1.9 */
  onLastFinalized(source: string, signal: AbortSignal, client?: string): Promise<string> {
    return this.atBlock({ term: source, blockHash: "", usePreStateHash: false, client }, signal);
  }

  /** Runs a program on a block's state and tells it as `RhoDataResponse`. @throws {ApiError} @spec 50 §1.9 */
  async atBlock(request: ExploreRequest, signal: AbortSignal, form: "json" | "tagged" = "json"): Promise<string> {
    const { values, block } = await this.explore(request, form, signal);
    return `{"expr":[${values.terms.join(",")}],"block":${this.#blocks.lightText(block)}}`;
  }

  /** Runs a program on a block's state. @throws {ApiError} @spec 50 §1.9, §3.4 */
  async explore(request: ExploreRequest, form: TermForm, signal: AbortSignal): Promise<Explored> {
    if (!this.#isAllowed) throw new ApiError("Exploratory deploy can only be executed on read-only RNode.");
    const block = this.#requireState(request.blockHash);
    const root = request.usePreStateHash && request.blockHash !== "" ? block.preStateHash : block.postStateHash;
    const values = await this.#explorer.explore(root, request.term, { form, client: request.client }, signal);
    if ("error" in values) throw new ApiError(`Unexpected error while capturing results from Rholang: ${values.error}`);
    return { values, block };
  }

  #requireState(blockHash: string): BlockMetadata {
    const lastFinalized = this.#requireLastFinalized();
    if (blockHash === "") return lastFinalized;
    const hash = strictBytesOfName(blockHash);
    if (hash === undefined)
      throw new ApiError("coop.rchain.casper.api.BlockAPI$BlockRetrievalError", { kind: "nameless" });
    const block = this.#blocks.find(hash);
    // Quirk 50 §1.9: the option that the hash was wrapped in is printed too.
    if (block === undefined) throw new ApiError(`Can not find block Some(${shownName(blockHash)})`);
    return block;
  }

  #requireLastFinalized(): BlockMetadata {
    try {
      return this.#blocks.requireLastFinalized();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const text = "Error: Could not execute exploratory deploy, casper instance was not available yet.";
      throw new ApiError(text, { cause: error });
    }
  }
}
