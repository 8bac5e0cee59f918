import type { IndexChange } from "../facts/IndexBlockFacts.js";
import type { ChainFeed, FeedBlocks, FeedChanges, FeedFacts, FeedTop } from "../follow/ChainFeed.js";
import { madeBlock, madeDeploy, madeHash, madeUser } from "./madeBlocks.js";

const atOnce = 20;

/** A chain that a test makes, block by block, each with a deploy; each block is final when the next one comes. */
export class FakeChainFeed implements ChainFeed {
  readonly #changes: IndexChange[] = [];
  #wake: () => void = () => {};
  height = 0;
  isBusy = false;
  /** Heights with a failing deploy. */
  readonly failing = new Set<number>();
  /** Left out: it reports no verdicts. */
  verdicts?: NonNullable<ChainFeed["verdicts"]>;
  blocksSince: bigint | undefined;
  /** Whether blocks that are made now lack what they did. */
  lacksEffects = false;
  readonly #log: string;
  readonly #chain: string;

  /**
   * @param log the beginning of its cursors
   * @param chain the beginning of blocks' names, from height 1 on
   */
  constructor({ log = "", chain = "" } = {}) {
    [this.#log, this.#chain] = [log, chain];
  }

  /** Makes this many further blocks. */
  grow(blocks: number): void {
    for (let made = 0; made < blocks; made += 1) {
      const number = this.height;
      const [address, balance] = [madeUser("u1").address, { dust: BigInt(number) }];
      const parents = number === 0 ? [] : [madeHash(`block ${this.#nameOf(number - 1)}`)];
      const deploys = [madeDeploy(`of ${number}`, { errored: this.failing.has(number) })];
      const content = { parents, deploys, balances: [{ address, ...balance }], lacksEffects: this.lacksEffects };
      if (number > 0) this.#changes.push({ kind: "blockFinalized", hash: parents[0]!, rejections: [] });
      this.#changes.push({ kind: "blockAdded", block: madeBlock(this.#nameOf(number), number, content) });
      this.height += 1;
    }
    this.#wake();
  }

  /** As when something has happened. */
  wake(): void {
    this.#wake();
  }

  async about(): Promise<FeedFacts> {
    const begunWith = this.height === 0 ? undefined : madeHash("block 0");
    const reportsVerdicts = this.verdicts !== undefined;
    return { begunWith, epoch: undefined, isBusy: this.isBusy, blocksSince: this.blocksSince, reportsVerdicts };
  }

  async top(): Promise<FeedTop> {
    return { cursor: `${this.#log}${this.#changes.length}`, nextHeight: BigInt(this.height) };
  }

  async blocks(from: bigint): Promise<FeedBlocks> {
    const top = BigInt(this.height);
    const added = this.#changes.filter(({ kind }) => kind === "blockAdded");
    const fate = (at: number) => (at < this.height - 1 ? "finalized" : "pending");
    const changes = added.slice(Number(from), Number(from) + atOnce).map((change, index): IndexChange => {
      if (change.kind !== "blockAdded") return change;
      return { kind: "blockAdded", block: { ...change.block, fate: fate(Number(from) + index) } };
    });
    const next = from + BigInt(changes.length);
    return { changes, next: next < top ? next : undefined, top };
  }

  async changes(cursor: string): Promise<FeedChanges> {
    if (!cursor.startsWith(this.#log) || !/^\d+$/.test(cursor.slice(this.#log.length))) return { kind: "unknown" };
    const from = Number(cursor.slice(this.#log.length));
    const changes = this.#changes.slice(from, from + atOnce);
    const next = from + changes.length;
    return { kind: "changes", changes, cursor: `${this.#log}${next}`, hasMore: next < this.#changes.length };
  }

  #nameOf(number: number): string {
    return `${number === 0 ? "" : this.#chain}${number}`;
  }

  wait(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
      signal.addEventListener("abort", () => resolve(), { once: true });
    });
  }
}
