import type { BlockQueries } from "./BlockQueries.js";
import { PrintedText } from "./PrintedText.js";

/** An answer about blocks. */
export interface BlockAnswer {
  readonly printed: PrintedText;
  /** Whether it stays as it is. */
  readonly isSettled: boolean;
}

/** Room for answers, in UTF-16 units. */
const room = 8 << 20;

/**
 * The answers about blocks that many ask for again and again. They are kept until the chain changes.
 *
 * @spec 50 §1.9
 */
export class BlockAnswers {
  readonly #blocks: BlockQueries;
  readonly #kept = new Map<string, BlockAnswer>();
  #used = 0;
  #version = 0;

  constructor(blocks: BlockQueries) {
    this.#blocks = blocks;
  }

  /** A block with its deploys. What its first digits name can become another block. @throws {ApiError} */
  block(hashText: string): BlockAnswer {
    return this.#answer(`block ${hashText}`, () => {
      const metadata = this.#blocks.requireBlock(hashText);
      const isSettled = hashText.length === 64 && this.#blocks.isSettled(metadata);
      return { text: this.#blocks.fullText(metadata), isSettled };
    });
  }

  /** @throws {ApiError} */
  newest(depth: number): BlockAnswer {
    return this.#answer(`newest ${depth}`, () => ({ text: this.#blocks.newestBlocks(depth), isSettled: false }));
  }

  /** @throws {ApiError} */
  lastFinalized(): BlockAnswer {
    return this.#answer("last", () => ({ text: this.#blocks.lastFinalizedBlock(), isSettled: false }));
  }

  #answer(key: string, make: () => { readonly text: string; readonly isSettled: boolean }): BlockAnswer {
    if (this.#version !== this.#blocks.version) {
      this.#version = this.#blocks.version;
      this.#forget();
    }
    const known = this.#kept.get(key);
    if (known !== undefined) return known;
    const { text, isSettled } = make();
    const answer = { printed: new PrintedText(text), isSettled };
    if (this.#used + text.length > room) this.#forget();
    if (text.length <= room) {
      this.#used += text.length;
      this.#kept.set(key, answer);
    }
    return answer;
  }

  #forget(): void {
    this.#kept.clear();
    this.#used = 0;
  }
}
