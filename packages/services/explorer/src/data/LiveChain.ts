import type { FullBlock, HttpClient, StreamEvent } from "@vedette/client";
import { type BlockSummary, briefOfBlock, briefOfEvent, newestFirst } from "./BlockSummary.js";

/** A deploy as lists show it. */
export interface ListedDeploy {
  readonly id: string;
  readonly deployer: string;
  readonly cost: bigint;
  readonly errored: boolean;
  readonly blockHash: string;
  readonly blockNumber: number;
  /** When it was signed, in milliseconds since 1970. */
  readonly timestamp?: number;
  readonly term?: string;
  /** Known where the index returned it. */
  readonly fate?: "included" | "failedSoFar" | "rejected" | "forkedAway" | "finalized" | "failed" | "expired";
}

/** A page's view of the chain's newest part. */
export interface ChainView {
  readonly connection: "connecting" | "live" | "lost";
  /** The newest first. */
  readonly blocks: readonly BlockSummary[];
  /** The newest first. */
  readonly deploys: readonly ListedDeploy[];
  readonly lastFinalized: { readonly hash: string; readonly number: number } | undefined;
  readonly forkedAway: ReadonlySet<string>;
  /** The blocks that have come since the page was opened. */
  readonly arrived: ReadonlySet<string>;
}

const heightsAtFirst = 40;
const maxBlocks = 400;
const maxDeploys = 60;
/** The number of blocks with deploys that are requested in the beginning. */
const maxBlocksWithDeploys = 8;
/** Shortest time between two updates of the pages. */
const drawPauseMs = 120;

const empty: ChainView = {
  connection: "connecting",
  blocks: [],
  deploys: [],
  lastFinalized: undefined,
  forkedAway: new Set(),
  arrived: new Set(),
};

/**
 * Follows the node's events and keeps the newest blocks and deploys, for as long as the page is open. A connection
 * that is lost comes back by itself, at the event where it ended.
 */
export class LiveChain {
  #view = empty;
  #next = empty;
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #readers = new Set<() => void>();
  #turn = new AbortController();
  readonly #node: HttpClient;

  constructor(node: HttpClient) {
    this.#node = node;
  }

  readonly view = (): ChainView => this.#view;

  readonly subscribe = (reader: () => void): (() => void) => {
    this.#readers.add(reader);
    return () => this.#readers.delete(reader);
  };

  /** Follows until the signal, and tries again for ever. */
  async follow(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        await this.#followOnce(signal);
      } catch {
        this.#change({ connection: "lost" });
        await new Promise((resolve) => setTimeout(resolve, 2_000));
      }
    }
  }

  /** Forgets all blocks and connects again: after a revert of the chain, known blocks may be gone. */
  forget(): void {
    this.#change({ ...empty });
    this.#turn.abort();
  }

  async #followOnce(until: AbortSignal): Promise<void> {
    const turn = new AbortController();
    this.#turn = turn;
    try {
      await this.#followEvents(AbortSignal.any([until, turn.signal]));
    } finally {
      // A browser has few connections to one node: an answer that cannot be read must not leave the events open.
      turn.abort();
    }
  }

  async #followEvents(signal: AbortSignal): Promise<void> {
    const stream = this.#node.events({
      kinds: ["blockAdded", "blockFinalized", "blockOrphaned", "deployIncluded"],
      signal,
      onDisconnect: () => this.#change({ connection: "lost" }),
    });
    const events = stream[Symbol.asyncIterator]();
    // The stream is opened before the past is read, so that no block is missed between the two.
    let next = events.next();
    // Mark a rejection as handled: if reading the past fails, this promise is never awaited.
    next.catch(() => {});
    await this.#readPast(signal);
    this.#change({ connection: "live" });
    for (let item = await next; item.done !== true; item = await next) {
      this.#take(item.value);
      next = events.next();
    }
  }

  async #readPast(signal: AbortSignal): Promise<void> {
    const [blocks, finalized] = await Promise.all([
      this.#node.blocks(heightsAtFirst, { signal }),
      this.#node.lastFinalizedBlock({ signal }),
    ]);
    const { blockHash: hash, blockNumber } = finalized.blockInfo;
    const briefs = blocks.map(briefOfBlock);
    const head = Math.max(...briefs.map(({ number }) => number));
    // A chain for development can be set back, and a restarted node can have another chain: what was final is gone then.
    const final = this.#next.lastFinalized?.hash;
    const isGone = final !== undefined && !briefs.some((block) => block.hash === final);
    if (isGone || head < (this.#next.blocks[0]?.number ?? 0))
      this.#change({ ...empty, connection: this.#next.connection });
    this.#change({ blocks: this.#merged(briefs), lastFinalized: { hash, number: Number(blockNumber) } });
    const withDeploys = briefs.sort(newestFirst).filter(({ deployCount }) => deployCount > 0);
    const whole = await Promise.all(enoughOf(withDeploys).map((block) => this.#node.block(block.hash, { signal })));
    const deploys = whole.flatMap(deploysOfBlock);
    const known = new Set(this.#next.deploys.map(({ id }) => id));
    this.#change({
      deploys: [...this.#next.deploys, ...deploys.filter(({ id }) => !known.has(id))].slice(0, maxDeploys),
    });
  }

  #take(event: StreamEvent): void {
    const { deploys, arrived, forkedAway } = this.#next;
    // Any event shows that the connection works again.
    const connection = "live";
    if (event.kind === "blockAdded") {
      const block = briefOfEvent(event);
      this.#change({ connection, blocks: this.#merged([block]), arrived: new Set([...arrived, block.hash]) });
    } else if (event.kind === "blockFinalized") {
      const number = Number(event.blockNumber);
      if (number >= (this.#next.lastFinalized?.number ?? -1))
        this.#change({ connection, lastFinalized: { hash: event.blockHash, number } });
    } else if (event.kind === "blockOrphaned") {
      this.#change({ connection, forkedAway: new Set([...forkedAway, event.blockHash]) });
    } else if (event.kind === "deployIncluded") {
      const { deployId: id, deployer, cost, blockHash, blockNumber } = event;
      const errored = event.errored || event.systemDeployError !== "";
      const deploy = { id, deployer, cost, errored, blockHash, blockNumber: Number(blockNumber) };
      const others = deploys.filter((one) => one.id !== id || one.blockHash !== blockHash);
      this.#change({
        connection,
        deploys: [deploy, ...others].slice(0, maxDeploys),
        arrived: new Set([...arrived, id]),
      });
    }
  }

  #merged(blocks: readonly BlockSummary[]): readonly BlockSummary[] {
    const byHash = new Map([...this.#next.blocks, ...blocks].map((block) => [block.hash, block]));
    return [...byHash.values()].sort(newestFirst).slice(0, maxBlocks);
  }

  #change(part: Partial<ChainView>): void {
    this.#next = { ...this.#next, ...part };
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#view = this.#next;
      for (const reader of this.#readers) reader();
    }, drawPauseMs);
  }
}

/** The deploys of a block as lists show them. */
export function deploysOfBlock({ blockInfo, deploys }: FullBlock): ListedDeploy[] {
  return deploys.map((deploy) => ({
    id: deploy.sig,
    deployer: deploy.deployer,
    cost: deploy.cost,
    errored: deploy.errored || deploy.systemDeployError !== "",
    blockHash: blockInfo.blockHash,
    blockNumber: Number(blockInfo.blockNumber),
    timestamp: Number(deploy.timestamp),
    term: deploy.term,
  }));
}

/** The newest blocks that together have as many deploys as are kept: a single one may have thousands. */
function enoughOf(blocks: readonly BlockSummary[]): BlockSummary[] {
  const found: BlockSummary[] = [];
  let deploys = 0;
  for (const block of blocks.slice(0, maxBlocksWithDeploys)) {
    if (deploys >= maxDeploys) break;
    found.push(block);
    deploys += block.deployCount;
  }
  return found;
}
