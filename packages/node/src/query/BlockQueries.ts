import { type BlockFacts, blockInfo, lightBlockInfo, printJson } from "@vedette/api";
import { fromHex, toHex } from "@vedette/crypto";
import { type Block, encodeBlock } from "@vedette/protocol";
import { ApiError } from "./ApiError.js";
import type { ChainReads } from "./ChainReads.js";

/** From so many blocks below the top on, the fault tolerance of a block is told by its finality alone. @spec 50 §1.7 */
const settledDistance = 100n;
/** Heights of one answer. */
const hashHexLength = 64;
const shortestPrefix = 6;

/**
 * Answers about blocks, as JSON texts. A block's own part of the text never changes, so it is printed once.
 *
 * @spec 50 §1.7, §1.9
 */
export class BlockQueries {
  readonly #chain: ChainReads;
  readonly #maxBlocks: number;
  readonly #texts = new TextCache(32 << 20);

  /** @param maxBlocks `api-server.max-blocks-limit` */
  constructor(chain: ChainReads, maxBlocks: number) {
    this.#chain = chain;
    this.#maxBlocks = maxBlocks;
  }

  /** `BlockInfo` of the last finalized block. @throws {ApiError} */
  lastFinalizedBlock(): string {
    return this.#fullText(this.requireLastFinalized());
  }

  /** @throws {ApiError} when the node is not running yet */
  requireLastFinalized(): Block {
    const hash = this.#chain.lastFinalized();
    const block = hash === undefined ? undefined : this.#chain.findBlock(hash);
    if (block === undefined)
      throw new ApiError("Error: Could not get last finalized block, casper instance was not available yet.");
    return block;
  }

  /** `BlockInfo` of a block named by its hash or a prefix of it. @throws {ApiError} @spec 50 §1.9 */
  block(hashText: string): string {
    return this.#fullText(this.requireBlock(hashText));
  }

  /** @throws {ApiError} */
  requireBlock(hashText: string): Block {
    if (hashText.length < shortestPrefix)
      throw new ApiError(`Input hash value must be at least ${shortestPrefix} characters: ${hashText}`);
    if (!/^[0-9a-fA-F]*$/.test(hashText)) throw new ApiError(`Input hash value is not valid hex string: ${hashText}`);
    if (this.#chain.maxBlockNumber() === undefined)
      throw new ApiError("Error: Could not get block, casper instance was not available yet.");
    const hash =
      hashText.length === hashHexLength ? fromHex(hashText.toLowerCase()) : this.#chain.findByPrefix(hashText);
    const block = hash === undefined ? undefined : this.#chain.findBlock(hash);
    if (block === undefined) throw new ApiError(`Error: Failure to find block with hash: ${hashText}`);
    if (!this.#chain.isInDag(block.hash))
      throw new ApiError(`Error: Block with hash ${hashText} received but not added yet`);
    return block;
  }

  /** Light infos of the `depth` greatest heights, the greatest first. @throws {ApiError} @spec 50 §1.9 */
  newestBlocks(depth: number): string {
    const top = this.#chain.maxBlockNumber();
    if (top === undefined) throw new ApiError("Could not visualize graph, casper instance was not available yet.");
    if (depth > this.#maxBlocks)
      throw new ApiError(`Your request depth ${depth} exceed the max limit ${this.#maxBlocks}`);
    if (depth < 0) throw new ApiError("coop.rchain.blockstorage.TopoSortFragmentParameterError");
    const texts: string[] = [];
    const lowest = top + 1n - BigInt(depth);
    for (let number = top; number >= 0n && number >= lowest; number -= 1n) texts.push(...this.#lightTexts(number));
    return `[${texts.join(",")}]`;
  }

  /** Light infos of a span of heights, both ends included, ascending. @throws {ApiError} @spec 50 §1.9 */
  blockSpan(start: number, end: number): string {
    const top = this.#chain.maxBlockNumber();
    if (top === undefined) throw new ApiError(`Error: Could not retrieve blocks from ${start} to ${end}`);
    if (end - start > this.#maxBlocks) {
      const span = `startBlockNumber ${start} and endBlockNumber ${end}`;
      throw new ApiError(`Your request ${span} exceed the max limit ${this.#maxBlocks}`);
    }
    if (start > Math.min(end, Number(top) + 1))
      throw new ApiError("coop.rchain.blockstorage.TopoSortFragmentParameterError");
    const texts: string[] = [];
    for (let number = Math.max(0, start); number <= Math.min(end, Number(top)); number += 1)
      texts.push(...this.#lightTexts(BigInt(number)));
    return `[${texts.join(",")}]`;
  }

  isFinalized(hash: Uint8Array): boolean {
    return this.#chain.isFinalized(hash);
  }

  /** `LightBlockInfo` as text. */
  lightText(block: Block): string {
    return this.#text("light", block, (facts) => printJson(lightBlockInfo(block, facts)));
  }

  #lightTexts(blockNumber: bigint): string[] {
    return this.#chain
      .hashesAt(blockNumber)
      .map((hash) => this.#chain.findBlock(hash))
      .filter((block) => block !== undefined)
      .map((block) => this.lightText(block));
  }

  #fullText(block: Block): string {
    return this.#text("full", block, (facts) => printJson(blockInfo(block, facts)));
  }

  /** The one part that changes, the fault tolerance, is part of the key. */
  #text(kind: "light" | "full", block: Block, print: (facts: BlockFacts) => string): string {
    const faultTolerance = this.#faultTolerance(block);
    const key = `${kind} ${toHex(block.hash)} ${faultTolerance}`;
    const known = this.#texts.get(key);
    if (known !== undefined) return known;
    const text = print({ sizeBytes: encodeBlock(block).length, faultTolerance });
    this.#texts.set(key, text);
    return text;
  }

  #faultTolerance(block: Block): number {
    const latest = (this.#chain.maxBlockNumber() ?? 0n) + 1n;
    if (latest - block.number > settledDistance) return this.#chain.isFinalized(block.hash) ? 1 : -1;
    return this.#chain.faultTolerance(block.hash);
  }
}

/** Texts that were built, the oldest dropped first when they take more than their room. */
class TextCache {
  readonly #room: number;
  readonly #texts = new Map<string, string>();
  #used = 0;

  constructor(roomBytes: number) {
    this.#room = roomBytes;
  }

  get(key: string): string | undefined {
    return this.#texts.get(key);
  }

  set(key: string, text: string): void {
    this.#texts.set(key, text);
    this.#used += text.length;
    for (const [oldKey, oldText] of this.#texts) {
      if (this.#used <= this.#room) break;
      this.#texts.delete(oldKey);
      this.#used -= oldText.length;
    }
  }
}
