import type { BlockMetadata, DagView } from "@vedette/chain";
import { toHex } from "@vedette/crypto";
import { ApiError } from "./ApiError.js";

/** A report of a block. Without reporting it says nothing of the deploys. @spec 50 §2.2 */
export interface BlockReport {
  readonly block: BlockMetadata;
  readonly postStateHash: Uint8Array;
}

/** What the reference's stub of a reporting runtime answers. */
const emptyStateHash = new TextEncoder().encode("empty");

/** Answers about what happened in blocks, on a node that does not report. @spec 50 §2.2 */
export class ReportQueries {
  readonly #dag: DagView;
  readonly #isAllowed: boolean;

  /** @param isAllowed on a node without a validator's key; dev mode does not matter @spec 50 §9 */
  constructor(dag: DagView, isAllowed: boolean) {
    this.#dag = dag;
    this.#isAllowed = isAllowed;
  }

  /** @throws {ApiError} @spec 50 §2.2, §3.4 */
  report(hash: Uint8Array): BlockReport {
    if (this.#dag.lastFinalized() === undefined) throw new ApiError("Error: Could not get event data.");
    if (!this.#isAllowed) throw new ApiError("Block report can only be executed on read-only RNode.");
    const block = this.#dag.find(hash);
    if (block === undefined) throw new ApiError(`Block ${toHex(hash)} not found`);
    return { block, postStateHash: emptyStateHash };
  }
}
