import type { BlockMetadata } from "@vedette/chain";
import { equalBytes } from "@vedette/crypto";
import type { TraceAnswer } from "@vedette/executor";
import type { QueryReaders } from "@vedette/executor/threads";
import type { BlockQueries } from "../block/BlockQueries.js";
import { FairQueue } from "../explore/FairQueue.js";
import { mapToApiError } from "../mapToApiError.js";
import { Problem } from "../Problem.js";
import { blockCallOf, type CallSources } from "./blockCall.js";

/** The sources of the answers. */
export interface TraceSources extends CallSources {
  readonly blocks: Pick<BlockQueries, "bytesOf" | "read">;
  readonly readers: QueryReaders;
  /** As with explorations: not on a validator, but on a chain for development. */
  readonly isAllowed: boolean;
}

/** The steps of a deploy. */
export type TracedDeploy = Extract<TraceAnswer, { readonly kind: "traced" }>;

/** The time limit of a reader: the deploys before are replayed, too. */
const timeoutMs = 60_000;
const queue = { running: 1, ofOneClient: 2, waiting: 16, longestWaitMs: 30_000 } as const;

/** Finds the steps of deploys, by replaying their blocks. @spec 41 §8.5, 50 §1.13 */
export class TraceQueries {
  readonly #sources: TraceSources;
  readonly #gate = new FairQueue(queue);

  constructor(sources: TraceSources) {
    this.#sources = sources;
  }

  /**
   * @param client the address that it is counted for
   * @throws {Problem} where the node may not, or cannot, replay the block; {Overload}
   */
  async trace(block: BlockMetadata, deployId: Uint8Array, client?: string): Promise<TracedDeploy> {
    const { isAllowed } = this.#sources;
    if (!isAllowed)
      throw new Problem("A validator traces no deploys; use an observer, or vedette dev --fork.", { status: 403 });
    const answer = await mapToApiError(this.#gate.run({ client }, () => this.#ask(block, deployId)));
    if (answer.kind === "failed") throw new Problem(answer.message, { status: 422 });
    return answer;
  }

  /** Those that wait for their turn hold no block. */
  #ask(block: BlockMetadata, deployId: Uint8Array): Promise<TraceAnswer> {
    const { blocks, readers } = this.#sources;
    const { body } = blocks.read(block).block;
    const index = body.deploys.findIndex(({ deploy }) => equalBytes(deploy.signature, deployId));
    if (index < 0) throw new Problem("The block does not hold the deploy.", { status: 404, field: "params.id" });
    const call = { ...blockCallOf(blocks.bytesOf(block), this.#sources), index, timeoutMs };
    return readers.call("trace", call, timeoutMs);
  }
}
