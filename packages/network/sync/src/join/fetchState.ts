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
/** Rounds without any progress, after which the state counts as unobtainable. */
const maxIdleRounds = 5;
/** Among so many peers another one is chosen. */
const maxConsidered = 20;

/** A page with the peer that sent it. */
export interface ReceivedItems {
  readonly items: StoreItems;
  readonly peer: Peer;
}

/** What the fetching of a state needs. @spec 40 §3.10 */
export interface StateFetching {
  readonly peers: PeersPort;
  readonly bootstrap: Peer;
  readonly state: StateImportPort;
  readonly received: Mailbox<ReceivedItems>;
  readonly emit: EmitSyncEvent;
  readonly timers: Timers;
  readonly pageNodes?: number | undefined;
  /** How packets are written; as the reference node does where nothing is said. */
  readonly packetForm: PacketCodec;
  /**
   * Another state is here that shares most with this one: of each part that is absent one page is fetched, then one looks
   * again at what is.
   */
  readonly isLikeOther?: boolean;
}

/**
 * Fetches a state, and goes on where an earlier attempt was broken off.
 *
 * Pages are checked against the root, so any peer may send them: the bootstrap is asked first, then others too. Who
 * sends a bad page is not heard again, but for the bootstrap, which is asked after all others then. A state is only used
 * once nothing of it is missing.
 *
 * @spec 40 §3.10, 30 §6.5, §6.7
 * @throws {SyncError} `stateUnobtainable`
 */
export async function fetchState(root: Uint8Array, use: StateFetching, signal: AbortSignal): Promise<void> {
  const progress: Progress = { nodes: 0, leaves: 0, refusals: 0, distrusted: new Set(), source: use.bootstrap };
  let idleRounds = 0;
  const pageNodes = use.pageNodes ?? defaultPageNodes;
  let take = pageNodes;
  for (let missing = await use.state.missing(root); missing.length > 0; missing = await use.state.missing(root)) {
    const before = progress.nodes + progress.leaves;
    for (const hash of missing) await fetchSubtree(hash, take, use, progress, signal);
    idleRounds = progress.nodes + progress.leaves === before ? idleRounds + 1 : 0;
    if (idleRounds >= maxIdleRounds) {
      throw new SyncError({ code: "stateUnobtainable", reason: "peers leave out parts of it" });
    }
    // Where a page ends decides which leaf a server leaves out by rule (30 §6.7(1)): let it end elsewhere.
    take = take === pageNodes ? pageNodes - 1 : pageNodes;
  }
  await use.state.recordRoot(root);
  if (use.isLikeOther !== true) use.emit({ type: "stateReceived", root });
}

interface Progress {
  nodes: number;
  leaves: number;
  refusals: number;
  /** Ids of peers that have sent a bad page. */
  readonly distrusted: Set<string>;
  /** Who is asked first. */
  source: Peer;
}

async function fetchSubtree(
  hash: Uint8Array,
  take: number,
  use: StateFetching,
  progress: Progress,
  signal: AbortSignal,
): Promise<void> {
  let path: readonly StoreNodeKey[] | undefined = [{ hash, index: undefined }];
  while (path !== undefined) {
    const { distrusted, source } = progress;
    const page = await fetchPage({ path, take, distrusted, source }, use, signal);
    try {
      const { nextPath } = await use.state.importPage(path, take, page.items);
      const nodes = page.items.historyItems.length;
      const leaves = page.items.dataItems.length;
      progress.nodes += nodes;
      progress.leaves += leaves;
      progress.refusals = 0;
      const totals = { totalNodes: progress.nodes, totalLeaves: progress.leaves };
      use.emit({ type: "statePageImported", peer: page.peer, nodes, leaves, ...totals });
      path = use.isLikeOther === true ? undefined : nextPath;
    } catch (error) {
      // That says nothing of the peer.
      if (isDiskFull(error)) throw error;
      const reason = errorText(error);
      use.emit({ type: "statePageRefused", peer: page.peer, reason });
      if (page.peer.id !== use.bootstrap.id) progress.distrusted.add(page.peer.id);
      else if (++progress.refusals >= maxRefusals)
        throw new SyncError({ code: "stateUnobtainable", reason }, { cause: error });
      changeSource(page.peer, progress, use);
    }
  }
}

/** Quirk 61 §16.3: there are honest peers that cannot give a state which they have; another one may. */
function changeSource(bad: Peer, progress: Progress, { peers, bootstrap, emit }: StateFetching): void {
  if (bad.id !== progress.source.id) return;
  const isOther = ({ id }: Peer) => id !== bad.id && id !== bootstrap.id && !progress.distrusted.has(id);
  const other = peers.randomPeers(maxConsidered).find(isOther) ?? bootstrap;
  if (other.id === bad.id) return;
  progress.source = other;
  emit({ type: "stateSourceChanged", from: bad, to: other });
}

interface PageQuestion {
  readonly path: readonly StoreNodeKey[];
  readonly take: number;
  readonly distrusted: ReadonlySet<string>;
  readonly source: Peer;
}

/** Asks until an answer to this very path comes; answers to others are dropped. */
async function fetchPage(
  { path, take, distrusted, source }: PageQuestion,
  use: StateFetching,
  signal: AbortSignal,
): Promise<ReceivedItems> {
  const content = encodePacket("StoreItemsMessageRequest", { startPath: path, skip: 0, take }, use.packetForm);
  const ask = (peer: Peer) => {
    use.emit({ type: "stateRequested", peer, startPath: path });
    use.peers.send(peer, "StoreItemsMessageRequest", content).catch(() => {});
  };
  use.received.want(({ items, peer }) => !distrusted.has(peer.id) && samePath(items.startPath, path));
  ask(source);
  using _timer = new IdleTimer(use.timers, (idleMs, nextMs) => {
    use.emit({ type: "stateIdle", idleMs, nextMs });
    const others = use.peers.randomPeers(2).filter(({ id }) => !distrusted.has(id));
    const asked = new Map([use.bootstrap, source, ...others].map((peer) => [peer.id, peer]));
    for (const peer of asked.values()) ask(peer);
  });
  for (;;) {
    const page = await use.received.next(signal);
    if (page === undefined || !samePath(page.items.startPath, path)) continue;
    use.received.want();
    return page;
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
