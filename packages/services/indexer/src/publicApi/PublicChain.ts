import { ClientError, type FullBlock, type HttpClient, type LightBlock, systemNames } from "@vedette/client";
import type { FeedFacts } from "../follow/ChainFeed.js";

/** Most heights in one request: what every node allows unless it is configured otherwise. @spec 50 §1.9 */
const maxHeights = 50;
/** Blocks that are requested concurrently. */
const atOnce = 4;
/** How long what a chain was begun with is believed. */
const trustedMs = 10_000;
/** For blocks deeper than this, the sign of their fault tolerance reports whether they are final. */
const deepHeights = 100n;

/** Sends requests to a node's public HTTP API; every node of the family has these routes. @spec 50 §1.5 */
export class PublicChain {
  readonly #client: HttpClient;
  readonly #nowMs: () => number;
  #span = maxHeights;
  #begun: { readonly hash: string; readonly lowest: bigint; readonly atMs: number } | undefined;
  #epoch: { readonly lengths: FeedFacts["epoch"] } | undefined;

  constructor(client: HttpClient, nowMs: () => number = () => performance.now()) {
    this.#client = client;
    this.#nowMs = nowMs;
  }

  async top(): Promise<bigint> {
    const [newest] = await this.#client.newestBlocks();
    if (newest === undefined) throw new TypeError("the node has no blocks yet");
    return newest.blockNumber;
  }

  async lastFinalized(): Promise<LightBlock> {
    return (await this.#client.lastFinalizedBlock()).blockInfo;
  }

  /** All blocks of a height and of those above it, as many as the node returns at once; ascending. */
  async heights(from: bigint, top: bigint): Promise<{ readonly blocks: readonly LightBlock[]; readonly to: bigint }> {
    if (from > top) return { blocks: [], to: top };
    for (;;) {
      const last = from + BigInt(this.#span) - 1n;
      const to = last < top ? last : top;
      try {
        const blocks = await this.#client.blockSpan(Number(from), Number(to));
        // Some nodes return fewer heights than requested, instead of refusing.
        const reached = blocks.at(-1)?.blockNumber ?? to;
        return { blocks, to: reached < to ? reached : to };
      } catch (error) {
        const most = limitOf(error);
        if (most === undefined || most >= this.#span || this.#span === 1) throw error;
        this.#span = Math.max(1, most);
      }
    }
  }

  /** Blocks with their deploys, in their order. */
  async withDeploys(blocks: readonly LightBlock[]): Promise<FullBlock[]> {
    const found: FullBlock[] = [];
    for (let at = 0; at < blocks.length; at += atOnce)
      found.push(...(await Promise.all(blocks.slice(at, at + atOnce).map((block) => this.#withDeploys(block)))));
    return found;
  }

  block(hash: string): Promise<FullBlock> {
    return this.#client.block(hash);
  }

  /** @param top a greatest height that was reported before the block was */
  async isFinal({ blockHash, blockNumber, faultTolerance }: LightBlock, top: bigint): Promise<boolean> {
    const isDeep = top + 1n - blockNumber > deepHeights && Number.isFinite(faultTolerance);
    return isDeep ? faultTolerance > 0 : this.#client.isFinalized(blockHash);
  }

  /** Returns the lowest block: the first one of all, or that with the state from which the node began. */
  async lowest(): Promise<{ readonly hash: string; readonly lowest: bigint }> {
    const nowMs = this.#nowMs();
    const known = this.#begun;
    if (known !== undefined && nowMs - known.atMs < trustedMs) return known;
    const lowest = known !== undefined && known.lowest > 0n ? known.lowest : await this.#lowestHeight();
    const [first] = await this.#client.blockSpan(Number(lowest), Number(lowest));
    if (first === undefined) {
      this.#begun = undefined;
      throw new TypeError(`the node has no block of height ${lowest} any more`);
    }
    this.#begun = { hash: first.blockHash, lowest, atMs: nowMs };
    return this.#begun;
  }

  /** Lengths of epochs and quarantine; left out where the node runs no programs for others, or the contract is another. */
  async epoch(): Promise<FeedFacts["epoch"]> {
    this.#epoch ??= await this.#queryEpoch();
    return this.#epoch.lengths;
  }

  async #withDeploys(block: LightBlock): Promise<FullBlock> {
    return block.deployCount === 0 ? { blockInfo: block, deploys: [] } : this.#client.block(block.blockHash);
  }

  /** Finds the lowest height; nodes report heights without a gap from there on. */
  async #lowestHeight(): Promise<bigint> {
    let [empty, full] = [-1n, await this.top()];
    const isThere = async (height: bigint) => (await this.#client.blockSpan(Number(height), Number(height))).length > 0;
    if (full === 0n || (await isThere(0n))) return 0n;
    while (full - empty > 1n) {
      const middle = (empty + full) / 2n;
      if (await isThere(middle)) full = middle;
      else empty = middle;
    }
    return full;
  }

  async #queryEpoch(): Promise<{ readonly lengths: FeedFacts["epoch"] }> {
    const ask = async (method: string) => {
      // The contract has another name on f1r3node networks; at the other name nothing answers.
      for (const { proofOfStake } of Object.values(systemNames)) {
        const { values } = await this.#client.explore(`new return, lookup(\`rho:registry:lookup\`), posCh in {
          lookup!(\`${proofOfStake}\`, *posCh) | for (@(_, pos) <- posCh) { @pos!("${method}", *return) } }`);
        if (values.length > 0) return values[0];
      }
      return undefined;
    };
    try {
      const [epochLength, quarantineLength] = [await ask("getEpochLength"), await ask("getQuarantineLength")];
      const isReported = typeof epochLength === "bigint" && typeof quarantineLength === "bigint";
      return { lengths: isReported ? { epochLength, quarantineLength } : undefined };
    } catch (error) {
      if (isRefusal(error)) return { lengths: undefined };
      throw error;
    }
  }
}

/** Whether a node refuses a request for good. */
function isRefusal(error: unknown): boolean {
  if (!(error instanceof ClientError)) return false;
  const { code } = error.failure;
  return code === "notOffered" || (code === "refused" && !/Finalization in progress|not available/.test(error.message));
}

/** Returns the maximum of heights that a node returns at once, if it reports it. */
function limitOf(error: unknown): number | undefined {
  if (!(error instanceof ClientError) || error.failure.code !== "refused") return undefined;
  const most = /exceed the max limit (\d+)/.exec(error.message)?.[1];
  return most === undefined ? undefined : Number(most);
}
