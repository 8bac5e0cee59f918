import { errorText } from "@vedette/errors";
import type { Peer } from "@vedette/network";
import { encodePacket, type PacketCodec, type StoreItems, type StoreNodeKey } from "@vedette/protocol";
import { isDiskFull } from "@vedette/store";
import type { PeersPort } from "../ports/PeersPort.js";
import type { StateImportPort } from "../ports/StatePort.js";
import { SyncError } from "../SyncError.js";
import type { EmitSyncEvent } from "../SyncEvent.js";
import type { Timers } from "../Timers.js";
import { IdleTimer } from "./IdleTimer.js";
import type { Mailbox } from "./Mailbox.js";

/** Nodes of a page. @spec 40 §3.10 */
const defaultPageNodes = 750;
/** Bad pages of the bootstrap in a row, after which the state counts as unobtainable. */
const maxRefusals = 10;
/** Rounds in a row without anything new, after which the state counts as unobtainable. */
const maxIdleRounds = 5;
/**
 * Pages in a row without anything new, after which one looks again at what is absent: a tree that is made to hold the
 * same nodes in very many places has pages without end. After each round without progress ten times as many.
 */
const maxNeedlessPages = 10;
/** Another one is chosen among this many peers. */
const maxConsidered = 20;

/** A page with the peer that sent it. */
export interface ReceivedItems {
  readonly items: StoreItems;
  readonly peer: Peer;
}

/** The parts that the fetching of a state needs. @spec 40 §3.10 */
export interface StateFetching {
  readonly peers: PeersPort;
  readonly bootstrap: Peer;
  readonly state: StateImportPort;
  readonly received: Mailbox<ReceivedItems>;
  readonly emit: EmitSyncEvent;
  readonly timers: Timers;
  readonly pageNodes?: number | undefined;
  /** How packets are written; default: as rnode does. */
  readonly packetForm: PacketCodec;
  /**
   * Another state is here that shares most with this one: of each part that is absent one page is fetched, then one looks
   * again at what is.
   */
  readonly isLikeOther?: boolean;
}

/**
 * Fetches a state, and continues an earlier attempt that was interrupted.
 *
 * Pages are checked against the root, so any peer may send them: the bootstrap gets the first request, then others too.
 * A peer that sends a bad page gets no more requests, except the bootstrap, which then comes after all others. A state
 * is used only when it is complete.
 *
 * @spec 40 §3.10, 30 §6.5, §6.7
 * @throws {SyncError} `stateUnobtainable`
 */
export async function fetchState(root: Uint8Array, use: StateFetching, signal: AbortSignal): Promise<void> {
  const fetching = new StateFetch(use, signal);
  let idleRounds = 0;
  const pageNodes = use.pageNodes ?? defaultPageNodes;
  let take = pageNodes;
  for (let missing = await use.state.missing(root); missing.length > 0; missing = await use.state.missing(root)) {
    const before = fetching.newPages;
    const maxNeedless = maxNeedlessPages * 10 ** idleRounds;
    for (const hash of missing) await fetching.subtree(hash, { take, maxNeedless });
    idleRounds = fetching.newPages === before ? idleRounds + 1 : 0;
    if (idleRounds >= maxIdleRounds) {
      throw new SyncError({ code: "stateUnobtainable", reason: "peers leave out parts of it" });
    }
    // Where a page ends decides which leaf a server leaves out by rule (30 §6.7(1)): let it end elsewhere.
    take = take === pageNodes ? pageNodes - 1 : pageNodes;
  }
  await use.state.recordRoot(root);
  if (use.isLikeOther !== true) use.emit({ type: "stateReceived", root });
}

/** How the pages of a subtree are requested. */
interface SubtreePages {
  /** Nodes of a page. */
  readonly take: number;
  /** Pages in a row without anything new, after which no more are requested. */
  readonly maxNeedless: number;
}

/** Fetches subtrees page by page, and remembers which peers have sent bad pages. */
class StateFetch {
  readonly #use: StateFetching;
  readonly #signal: AbortSignal;
  #nodes = 0;
  #leaves = 0;
  #newPages = 0;
  /** Bad pages of the bootstrap in a row. */
  #refusals = 0;
  /** Ids of peers that have sent a bad page. */
  readonly #distrusted = new Set<string>();
  /** The peer that gets the first request. */
  #source: Peer;

  constructor(use: StateFetching, signal: AbortSignal) {
    [this.#use, this.#signal] = [use, signal];
    this.#source = use.bootstrap;
  }

  /** Pages that brought something that was not here. */
  get newPages(): number {
    return this.#newPages;
  }

  async subtree(hash: Uint8Array, { take, maxNeedless }: SubtreePages): Promise<void> {
    const { state, emit, isLikeOther } = this.#use;
    let path: readonly StoreNodeKey[] | undefined = [{ hash, index: undefined }];
    let needless = 0;
    while (path !== undefined) {
      const page = await this.#page(path, take);
      try {
        const { nextPath, isNew } = await state.importPage(path, take, page.items);
        const nodes = page.items.historyItems.length;
        const leaves = page.items.dataItems.length;
        this.#nodes += nodes;
        this.#leaves += leaves;
        this.#refusals = 0;
        const totals = { totalNodes: this.#nodes, totalLeaves: this.#leaves };
        emit({ type: "statePageImported", peer: page.peer, nodes, leaves, ...totals });
        if (isNew) this.#newPages += 1;
        needless = isNew ? 0 : needless + 1;
        path = isLikeOther === true || needless >= maxNeedless ? undefined : nextPath;
      } catch (error) {
        // That is not the peer's fault.
        if (isDiskFull(error)) throw error;
        this.#refuse(page.peer, error);
      }
    }
  }

  #refuse(peer: Peer, error: unknown): void {
    const reason = errorText(error);
    this.#use.emit({ type: "statePageRefused", peer, reason });
    if (peer.id !== this.#use.bootstrap.id) this.#distrusted.add(peer.id);
    else if (++this.#refusals >= maxRefusals)
      throw new SyncError({ code: "stateUnobtainable", reason }, { cause: error });
    this.#changeSource(peer);
  }

  /** Quirk 61 §16.3: there are honest peers that cannot give a state which they have; another one may. */
  #changeSource(bad: Peer): void {
    const { peers, bootstrap, emit } = this.#use;
    if (bad.id !== this.#source.id) return;
    const isOther = ({ id }: Peer) => id !== bad.id && id !== bootstrap.id && !this.#distrusted.has(id);
    const other = peers.randomPeers(maxConsidered).find(isOther) ?? bootstrap;
    if (other.id === bad.id) return;
    this.#source = other;
    emit({ type: "stateSourceChanged", from: bad, to: other });
  }

  /** Repeats the request until an answer to this very path comes; answers to others are dropped. */
  async #page(path: readonly StoreNodeKey[], take: number): Promise<ReceivedItems> {
    const { peers, bootstrap, emit, received, timers, packetForm } = this.#use;
    const distrusted = this.#distrusted;
    const content = encodePacket("StoreItemsMessageRequest", { startPath: path, skip: 0, take }, packetForm);
    const ask = (peer: Peer) => {
      emit({ type: "stateRequested", peer, startPath: path });
      peers.send(peer, "StoreItemsMessageRequest", content).catch(() => {});
    };
    received.want(({ items, peer }) => !distrusted.has(peer.id) && samePath(items.startPath, path));
    ask(this.#source);
    using _timer = new IdleTimer(timers, (idleMs, nextMs) => {
      emit({ type: "stateIdle", idleMs, nextMs });
      const others = peers.randomPeers(2).filter(({ id }) => !distrusted.has(id));
      const asked = new Map([bootstrap, this.#source, ...others].map((peer) => [peer.id, peer]));
      for (const peer of asked.values()) ask(peer);
    });
    for (;;) {
      const page = await received.next(this.#signal);
      if (page === undefined || !samePath(page.items.startPath, path)) continue;
      received.want();
      return page;
    }
  }
}

function samePath(one: readonly StoreNodeKey[], other: readonly StoreNodeKey[]): boolean {
  return (
    one.length === other.length &&
    one.every(({ hash, index }, position) => {
      const key = other[position] as StoreNodeKey;
      return index === key.index && Buffer.compare(hash, key.hash) === 0;
    })
  );
}
