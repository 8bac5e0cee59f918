import { type SyncStatus, systemTimers, type Timers, waitFor } from "@vedette/sync";

/** Times of the wait. */
export interface CatchUpTimes {
  /** Milliseconds that a node with known peers waits for a first connection, before it goes on alone if it may. */
  readonly firstPeerMs: number;
  /** How long peers take to answer what their tips are. */
  readonly tipsMs: number;
  /** Maximum wait for announced blocks, in milliseconds: any peer can announce a block that does not exist. */
  readonly maxMs: number;
}

/** Peers that a validator can expect. */
export interface PeerExpectations {
  /** Whether any peer is known: a bootstrap, or peers of the last run. */
  readonly expectsPeers: boolean;
  /**
   * Whether this data directory has a block of the own key. Without one it may be new or a copy of another node's,
   * and the network may have blocks of the key.
   */
  readonly hasProposed: boolean;
  /** Called when nothing is proposed before a peer is there. */
  readonly waitsForPeer: () => void;
}

const defaultTimes: CatchUpTimes = { firstPeerMs: 20_000, tipsMs: 3_000, maxMs: 120_000 };
const lookMs = 100;

/**
 * Decides whether a validator has all blocks that its peers have. Before that it must not propose: its own latest block
 * may be among the missing ones, and a second block with that sequence number would be an equivocation.
 *
 * @spec 40 §9
 */
export class ProposeSyncGate {
  readonly #times: CatchUpTimes;
  readonly #timers: Timers;
  #isStopped = false;
  #waitsFor: (() => string) | undefined = () => "the node has not begun to follow its chain";

  constructor(times: Partial<CatchUpTimes> = {}, timers: Timers = systemTimers) {
    this.#timers = timers;
    this.#times = { ...defaultTimes, ...times };
  }

  /** Why nothing may be proposed yet, and what is waited for; `undefined` when it may. */
  get reason(): string | undefined {
    const waitsFor = this.#waitsFor?.();
    return waitsFor === undefined ? undefined : `the node is not synchronized with its peers yet: ${waitsFor}`;
  }

  /** Waits until the node has caught up, at most `maxMs`. */
  async done(maxMs: number): Promise<void> {
    const late = new AbortController();
    const takeBack = this.#timers.after(maxMs, () => late.abort());
    await this.#until(() => this.#waitsFor === undefined || this.#isStopped, maxMs, late.signal);
    takeBack();
  }

  /**
   * Waits until the node has caught up; to be called when it has a chain.
   */
  async run(status: () => SyncStatus, peerExpectations: PeerExpectations, signal: AbortSignal): Promise<void> {
    const { firstPeerMs, tipsMs, maxMs } = this.#times;
    if (peerExpectations.expectsPeers) {
      const hasPeer = () => status().peers > 0;
      const noPeer = "no peer is connected";
      this.#waitsFor = () => noPeer;
      await this.#until(hasPeer, firstPeerMs, signal);
      if (!peerExpectations.hasProposed && !hasPeer() && !signal.aborted) {
        peerExpectations.waitsForPeer();
        await this.#until(hasPeer, Number.POSITIVE_INFINITY, signal);
      }
      this.#waitsFor = () => (hasPeer() ? "its peers were asked for their newest blocks a moment ago" : noPeer);
      await waitFor(this.#timers, tipsMs, signal);
      this.#waitsFor = () => `blocks that peers have announced are missing or not executed (${blocksLeft(status())})`;
      await this.#until(() => isIdle(status()), maxMs, signal);
    }
    if (signal.aborted) this.#isStopped = true;
    else this.#waitsFor = undefined;
  }

  async #until(holds: () => boolean, maxMs: number, signal: AbortSignal): Promise<void> {
    for (let waited = 0; waited < maxMs && !signal.aborted && !holds(); waited += lookMs)
      await waitFor(this.#timers, lookMs, signal);
  }
}

function isIdle(status: SyncStatus): boolean {
  return status.state === "running" && blocksLeft(status) === 0;
}

function blocksLeft({ requestedBlocks, waitingBlocks, validatableBlocks }: SyncStatus): number {
  return requestedBlocks + waitingBlocks + validatableBlocks;
}
