import type { BlockMetadata } from "@vedette/chain";
import { ApiError } from "./ApiError.js";
import type { BlockQueries } from "./BlockQueries.js";

/** Runs an exploratory deploy somewhere: in this thread or in one of the readers. */
export interface Explorer {
  /**
   * @param root state root: 32 bytes
   * @returns the processes on the return channel as a JSON array of RhoExpr, or the reference's text of the error
   * @throws {ApiError} when it was refused or given up
   */
  explore(root: Uint8Array, source: string, signal: AbortSignal): Promise<ExploreAnswer>;
}

/** The JSON of what a program left on its return channel, or why there is none. */
export type ExploreAnswer = { readonly expr: string } | { readonly error: string };

/** Answers of programs that are run on a state without leaving a trace. @spec 50 §1.9 */
export class ExploreQueries {
  readonly #blocks: BlockQueries;
  readonly #explorer: Explorer;

  constructor(blocks: BlockQueries, explorer: Explorer) {
    this.#blocks = blocks;
    this.#explorer = explorer;
  }

  /** Runs a program on the last finalized state. @throws {ApiError} @spec 50 §1.9 */
  onLastFinalized(source: string, signal: AbortSignal): Promise<string> {
    return this.#on(this.#requireState(), false, source, signal);
  }

  #requireState(): BlockMetadata {
    try {
      return this.#blocks.requireLastFinalized();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const text = "Error: Could not execute exploratory deploy, casper instance was not available yet.";
      throw new ApiError(text, { cause: error });
    }
  }

  async #on(block: BlockMetadata, usePreState: boolean, source: string, signal: AbortSignal): Promise<string> {
    const { preStateHash, postStateHash } = block;
    const answer = await this.#explorer.explore(usePreState ? preStateHash : postStateHash, source, signal);
    if ("error" in answer) throw new ApiError(`Unexpected error while capturing results from Rholang: ${answer.error}`);
    return `{"expr":${answer.expr},"block":${this.#blocks.lightText(block)}}`;
  }
}
