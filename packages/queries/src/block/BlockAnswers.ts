import type { BlockMetadata } from "@vedette/chain";
import { Overload } from "../explore/Overload.js";
import { PrintedText } from "../PrintedText.js";
import type { BlockQueries } from "./BlockQueries.js";
import { KeptAnswers } from "./KeptAnswers.js";

/** An answer about blocks. */
export interface BlockAnswer {
  readonly printed: PrintedText;
  /** Whether it stays as it is. */
  readonly isSettled: boolean;
}

/** A large answer is sent to all that ask for it within this time. */
const largeKeptMs = 5_000;
/** Large answers that wait to be made, each for all that ask for it. */
const maxWaiting = 16;

/**
 * The answers about blocks that many ask for again and again. They are kept until the chain changes.
 *
 * @spec 50 §1.9
 */
export class BlockAnswers {
  readonly #blocks: BlockQueries;
  readonly #kept: KeptAnswers<BlockAnswer>;
  /** Large ones that are made, or wait to be made, and the last one that was. */
  readonly #large = new Map<string, Promise<PrintedText>>();
  /** When all that wait have been made. */
  #free: Promise<void> = Promise.resolve();
  #made: string | undefined;

  constructor(blocks: BlockQueries) {
    this.#blocks = blocks;
    this.#kept = new KeptAnswers(() => blocks.version);
  }

  /** A block with its deploys. What its first digits name can become another block. @throws {ApiError} */
  block(hashText: string): BlockAnswer | Promise<BlockAnswer> {
    const key = `block ${hashText}`;
    const known = this.#kept.find(key);
    if (known !== undefined) return known;
    const metadata = this.#blocks.requireBlock(hashText);
    const isSettled = hashText.length === 64 && this.#blocks.isSettled(metadata);
    if (this.#blocks.isLarge(metadata)) return this.#largeBlock(metadata, isSettled);
    return this.#answer(key, () => ({ text: this.#blocks.fullText(metadata), isSettled }));
  }

  /** @throws {ApiError} */
  newest(depth: number): BlockAnswer {
    return this.#answer(`newest ${depth}`, () => ({ text: this.#blocks.newestBlocks(depth), isSettled: false }));
  }

  /** @throws {ApiError} */
  lastFinalized(): BlockAnswer | Promise<BlockAnswer> {
    // Whether a block is large is read from the store: not for each of those who ask for the same one.
    const known = this.#kept.find("last");
    if (known !== undefined) return known;
    const metadata = this.#blocks.requireLastFinalized();
    if (this.#blocks.isLarge(metadata)) return this.#largeBlock(metadata, false);
    return this.#answer("last", () => ({ text: this.#blocks.lastFinalizedBlock(), isSettled: false }));
  }

  /** One large answer at a time is made, for all that ask for it; the last one is kept for a while. @throws {Overload} */
  async #largeBlock(metadata: BlockMetadata, isSettled: boolean): Promise<BlockAnswer> {
    const key = `${this.#blocks.faultTolerance(metadata)}${metadata.key}`;
    const printed = this.#large.get(key) ?? this.#makeLarge(key, metadata);
    return { printed: await printed, isSettled };
  }

  #makeLarge(key: string, metadata: BlockMetadata): Promise<PrintedText> {
    if (this.#large.size >= maxWaiting) throw new Overload("Too many queries are waiting; try again later.");
    const printed = this.#free.then(() => this.#blocks.fullTextInTurns(metadata));
    const done = () => {};
    this.#free = printed.then(done, done);
    this.#large.set(key, printed);
    const forget = () => {
      if (this.#large.get(key) === printed) this.#large.delete(key);
    };
    printed.then(() => {
      if (this.#made !== undefined && this.#made !== key) this.#large.delete(this.#made);
      this.#made = key;
      setTimeout(forget, largeKeptMs).unref();
    }, forget);
    return printed;
  }

  #answer(key: string, make: () => { readonly text: string; readonly isSettled: boolean }): BlockAnswer {
    const known = this.#kept.find(key);
    if (known !== undefined) return known;
    const { text, isSettled } = make();
    const answer = { printed: new PrintedText(text), isSettled };
    this.#kept.keep(key, answer, text.length);
    return answer;
  }
}
