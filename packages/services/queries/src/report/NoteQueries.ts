import type { BlockMetadata } from "@vedette/chain";
import { equalBytes } from "@vedette/crypto";
import type { DeployNote } from "@vedette/execution";
import { foundValue } from "@vedette/executor";
import type { QueryReaders } from "@vedette/executor/threads";
import type { BlockQueries } from "../block/BlockQueries.js";
import { FairQueue } from "../explore/FairQueue.js";
import { Overload } from "../explore/Overload.js";
import { mapToApiError } from "../mapToApiError.js";
import { blockCallOf, type CallSources } from "./blockCall.js";

/** The sources of the answers. */
export interface NoteSources extends CallSources {
  readonly blocks: Pick<BlockQueries, "bytesOf" | "read">;
  readonly readers: QueryReaders;
}

/** The time limit of a reader: a block that was not executed here is replayed. */
const timeoutMs = 15_000;
const queue = { running: 1, ofOneClient: 4, waiting: 32, longestWaitMs: 10_000 } as const;

/** Why deploys failed, and what they wrote. @spec 41 §8.4, 50 §1.13 */
export class NoteQueries {
  readonly #sources: NoteSources;
  readonly #gate = new FairQueue(queue);

  constructor(sources: NoteSources) {
    this.#sources = sources;
  }

  /**
   * Returns the notes of a deploy in a block.
   *
   * @param client the address that it is counted for
   * @returns `undefined` if they are unknown: the block does not contain it, cannot be replayed here, or not now
   */
  async find(block: BlockMetadata, deployId: Uint8Array, client?: string): Promise<DeployNote | undefined> {
    try {
      return await mapToApiError(this.#gate.run({ client }, () => this.#ask(block, deployId)));
    } catch (error) {
      // That is no reason to keep back what is known of the deploy.
      if (error instanceof Overload) return undefined;
      throw error;
    }
  }

  /** Those that wait for their turn hold no block. */
  async #ask(block: BlockMetadata, deployId: Uint8Array): Promise<DeployNote | undefined> {
    const { blocks, readers } = this.#sources;
    const { body } = blocks.read(block).block;
    const index = body.deploys.findIndex(({ deploy }) => equalBytes(deploy.signature, deployId));
    if (index < 0) return undefined;
    const call = { ...blockCallOf(blocks.bytesOf(block), this.#sources), timeoutMs };
    // Unknown notes are looked up again by the next request: nothing is kept here.
    return foundValue(await readers.call("notes", call, timeoutMs))?.[index];
  }
}
