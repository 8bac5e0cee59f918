import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { BlockFinality } from "@vedette/chain";
import type { FullBlock, LightBlock } from "@vedette/client";
import type { IndexChange } from "../facts/IndexBlockFacts.js";
import type { ChainFeed, FeedBlocks, FeedChanges, FeedFacts, FeedTop } from "../follow/ChainFeed.js";
import { KnownBlocks, silentHeights } from "./KnownBlocks.js";
import type { PublicChain } from "./PublicChain.js";
import { factsOfPublicBlock, knownBlockOf, toleranceOf } from "./publicFacts.js";

/** The interval of requests for news: a node may compute finality at each request. */
const lookMs = 3_000;
/** Heights below the newest that are looked at again, for blocks that came late. */
const lateHeights = 20n;
/** Most unknown parents requested after one look; and most of them below the height up to which everything was sent. */
const maxParents = 1_000;
const maxBelow = 20;

/**
 * Supplies a chain from a node's public HTTP API, which has no log of events: what is not decided is remembered, and
 * compared with what the node returns. A cursor is a height up to which everything was decided and sent; for a cursor
 * that this feed did not issue last, all above it is sent again.
 *
 * @spec 60 §8.1
 */
export class PublicFeed implements ChainFeed {
  readonly #chain: PublicChain;
  #known = new KnownBlocks();
  /** All heights up to here were sent. */
  #listed = -1n;
  #issued: string | undefined;

  constructor(chain: PublicChain) {
    this.#chain = chain;
  }

  async about(): Promise<FeedFacts> {
    const { hash, lowest } = await this.#chain.lowest();
    return { begunWith: hash, epoch: await this.#chain.epoch(), blocksSince: lowest };
  }

  async top(): Promise<FeedTop> {
    const top = await this.#chain.top();
    const { blockNumber: last } = await this.#chain.lastFinalized();
    this.#begin(last > silentHeights ? last - silentHeights : -1n);
    return { cursor: this.#issue(this.#listed), nextHeight: top + 1n };
  }

  async blocks(from: bigint): Promise<FeedBlocks> {
    const { lowest } = await this.#chain.lowest();
    const begin = from < lowest ? lowest : from;
    const { blockNumber: last } = await this.#chain.lastFinalized();
    const top = await this.#chain.top();
    const { blocks: listed, to } = await this.#chain.heights(begin, top);
    const fates: BlockFinality[] = [];
    for (const block of listed) fates.push(await this.#fateOf(block, { top, last }));
    const changes: IndexChange[] = [];
    for (const [at, block] of (await this.#chain.withDeploys(listed)).entries()) {
      changes.push({ kind: "blockAdded", block: factsOfPublicBlock(block, fates[at]!) });
      this.#known.add(knownBlockOf(block, fates[at]!));
    }
    this.#known.forget(begin - silentHeights);
    if (to > this.#listed) this.#listed = to;
    return { changes, next: to < top ? to + 1n : undefined, top: top + 1n };
  }

  async changes(cursor: string): Promise<FeedChanges> {
    const decided = heightOf(cursor);
    if (decided === undefined) return { kind: "gone" };
    if (cursor !== this.#issued) this.#begin(decided);
    // Data that is read before the blocks is about blocks that are among them, or come next time.
    const { blockHash, blockNumber: last } = await this.#chain.lastFinalized();
    const top = await this.#chain.top();
    const late = (this.#listed < last ? this.#listed : last) - lateHeights;
    const from = (late > decided ? late : decided) + 1n;
    const { blocks, to } = await this.#chain.heights(from < 0n ? 0n : from, top);
    const fresh = await this.#fresh(blocks, decided);
    if (to > this.#listed) this.#listed = to;
    const tolerances = new Map(blocks.map((block) => [block.blockHash, toleranceOf(block)]));
    const changes = fresh.map(
      (block): IndexChange => ({ kind: "blockAdded", block: factsOfPublicBlock(block, "pending") }),
    );
    for (const { hash } of this.#known.finalize(blockHash))
      changes.push({ kind: "blockFinalized", hash, rejections: [], faultTolerance: tolerances.get(hash) });
    for (const { hash } of this.#known.giveUp(last)) changes.push({ kind: "blockOrphaned", hash });
    const pending = this.#known.lowestPending();
    const next = pending === undefined || pending > this.#listed ? this.#listed : pending - 1n;
    const reached = next > decided ? next : decided;
    this.#known.forget(reached - silentHeights);
    return { kind: "changes", changes, cursor: this.#issue(reached), hasMore: this.#listed < top };
  }

  wait(signal: AbortSignal): Promise<void> {
    return sleep(lookMs, undefined, { signal }).catch(() => undefined);
  }

  #begin(height: bigint): void {
    this.#known = new KnownBlocks();
    this.#listed = height;
  }

  #issue(height: bigint): string {
    this.#issued = `public:${height}:${randomUUID()}`;
    return this.#issued;
  }

  async #fateOf(
    block: LightBlock,
    { top, last }: { readonly top: bigint; readonly last: bigint },
  ): Promise<BlockFinality> {
    if (await this.#chain.isFinal(block, top)) return "finalized";
    return block.blockNumber + silentHeights < last ? "forkedAway" : "pending";
  }

  /** Blocks that were not sent yet, each after those that it is built on. */
  async #fresh(listed: readonly LightBlock[], decided: bigint): Promise<FullBlock[]> {
    const unknown = listed.filter(({ blockHash }) => !this.#known.has(blockHash));
    const found = await this.#chain.withDeploys(unknown);
    for (const block of found) this.#known.add(knownBlockOf(block, "pending"));
    const waiting = found.flatMap(({ blockInfo }) => blockInfo.parentsHashList);
    let [asked, below] = [0, 0];
    for (let hash = waiting.pop(); hash !== undefined; hash = waiting.pop()) {
      if (this.#known.has(hash) || asked >= maxParents) continue;
      asked += 1;
      const parent = await this.#chain.block(hash);
      found.push(parent);
      this.#known.add(knownBlockOf(parent, "pending"));
      // Sending a block twice changes nothing; but how far down this goes is not remembered.
      if (parent.blockInfo.blockNumber <= decided) below += 1;
      if (below < maxBelow) waiting.push(...parent.blockInfo.parentsHashList);
    }
    return found.sort((left, right) => Number(left.blockInfo.blockNumber - right.blockInfo.blockNumber));
  }
}

/** @returns `undefined` for a cursor of another kind of feed */
function heightOf(cursor: string): bigint | undefined {
  const height = /^public:(-?\d+):/.exec(cursor)?.[1];
  return height === undefined ? undefined : BigInt(height);
}
