import type { BlockMetadata } from "@vedette/chain";
import { EncodedBody } from "../EncodedBody.js";
import type { QueuedRequest } from "../explore/FairQueue.js";
import type { BlockQueries } from "./BlockQueries.js";
import { ResponseCache } from "./ResponseCache.js";

/** An answer about blocks. */
export interface BlockAnswer {
  readonly printed: EncodedBody;
  /** Whether it stays as it is. */
  readonly isSettled: boolean;
}

/**
 * The answers about blocks that many clients request again and again. They are kept until the chain changes.
 *
 * @spec 50 §1.9
 */
export class BlockAnswers {
  readonly #blocks: BlockQueries;
  readonly #kept: ResponseCache<BlockAnswer>;

  constructor(blocks: BlockQueries) {
    this.#blocks = blocks;
    this.#kept = new ResponseCache(() => blocks.version);
  }

  /** A block with its deploys. What its first digits name can become another block. @throws {ApiError} */
  block(hashText: string, request: QueuedRequest): BlockAnswer | Promise<BlockAnswer> {
    const key = `block ${hashText}`;
    const known = this.#kept.find(key);
    if (known !== undefined) return known;
    const metadata = this.#blocks.requireBlock(hashText);
    const isSettled = hashText.length === 64 && this.#blocks.isSettled(metadata);
    if (this.#blocks.hasLargeText(metadata)) return this.#largeBlock(metadata, request, isSettled);
    return this.#answer(key, () => ({ text: this.#blocks.fullText(metadata), isSettled }));
  }

  /** @throws {ApiError} */
  newest(depth: number): BlockAnswer {
    return this.#answer(`newest ${depth}`, () => ({ text: this.#blocks.newestBlocks(depth), isSettled: false }));
  }

  /** @throws {ApiError} */
  lastFinalized(request: QueuedRequest): BlockAnswer | Promise<BlockAnswer> {
    // The size of a block is read from the store once, not for each request for the same one.
    const known = this.#kept.find("last");
    if (known !== undefined) return known;
    const metadata = this.#blocks.requireLastFinalized();
    if (this.#blocks.hasLargeText(metadata)) return this.#largeBlock(metadata, request, false);
    return this.#answer("last", () => ({ text: this.#blocks.lastFinalizedBlock(), isSettled: false }));
  }

  /** @throws {Overload} */
  async #largeBlock(metadata: BlockMetadata, request: QueuedRequest, isSettled: boolean): Promise<BlockAnswer> {
    const { printed } = await this.#blocks.largeText(metadata, request);
    return { printed, isSettled };
  }

  #answer(key: string, make: () => { readonly text: string; readonly isSettled: boolean }): BlockAnswer {
    const known = this.#kept.find(key);
    if (known !== undefined) return known;
    const { text, isSettled } = make();
    const answer = { printed: new EncodedBody(text), isSettled };
    this.#kept.keep(key, answer, text.length);
    return answer;
  }
}
