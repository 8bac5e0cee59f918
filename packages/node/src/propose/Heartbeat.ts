import type { ProposeOutlook, Proposer } from "@vedette/chain";
import { errorText } from "@vedette/errors";
import { systemTimers, waitFor } from "@vedette/sync";
import type { HeartbeatReason, NodeProposeEvent } from "./NodeProposeEvent.js";
import type { ProposeQueue } from "./ProposeQueue.js";

/** Waits, at most until one of the signals; ends without a word in either case. */
export type Wait = (ms: number, ...signals: readonly AbortSignal[]) => Promise<void>;

/** What a heartbeat works with. */
export interface HeartbeatOptions {
  readonly proposer: Pick<Proposer, "outlook">;
  readonly queue: Pick<ProposeQueue, "proposeNow">;
  readonly checkIntervalMs: number;
  /** A last finalized block that is older than this is a reason for a block. */
  readonly maximumLfbAgeMs: number;
  /**
   * Whether a deploy that arrives is put into a block at once, where the last proposal is an interval ago; so a lone
   * deploy does not wait, and validators that have many keep to their turns.
   */
  readonly wakesOnDeploy: boolean;
  readonly emit: (event: NodeProposeEvent) => void;
  /** Unix milliseconds. */
  readonly nowMs: () => number;
  readonly wait?: Wait;
}

/** Part of the interval before a turn that belongs to it. */
const earlyShare = 0.05;

/**
 * Has blocks made where nobody asks for them, so that deploys get into blocks and blocks become final.
 *
 * Ours: validators take turns. Each active one begins at its own share of the check interval on the clock of all, so
 * that their blocks rarely meet; the reference begins after a random time. A deploy that waits in the pool is a reason
 * for a block, and so is one that is not final yet (the reference takes any deploy of the last 50 blocks for one).
 *
 * @spec 40 §9.10
 */
export class Heartbeat {
  readonly #options: HeartbeatOptions;
  readonly #wait: Wait;
  #wake: () => void = () => {};
  #isWoken = false;
  #lastProposalMs = Number.NEGATIVE_INFINITY;

  constructor(options: HeartbeatOptions) {
    this.#options = options;
    this.#wait = options.wait ?? ((ms, ...signals) => waitFor(systemTimers, ms, ...signals));
  }

  /** A deploy has arrived. */
  onDeploy(): void {
    const { wakesOnDeploy, nowMs, checkIntervalMs } = this.#options;
    if (!wakesOnDeploy || nowMs() - this.#lastProposalMs < checkIntervalMs) return;
    this.#isWoken = true;
    this.#wake();
  }

  /** Beats until the signal. */
  async run(signal: AbortSignal): Promise<void> {
    const { emit, checkIntervalMs, maximumLfbAgeMs } = this.#options;
    let outlook = await this.#look();
    emit({ type: "heartbeatStarted", delayMs: this.#delayMs(outlook), checkIntervalMs, maximumLfbAgeMs });
    while (!signal.aborted) {
      await this.#sleep(this.#delayMs(outlook), signal);
      if (signal.aborted) return;
      outlook = await this.#look();
      if (outlook !== undefined) await this.#beat(outlook);
    }
  }

  async #look(): Promise<ProposeOutlook | undefined> {
    try {
      return await this.#options.proposer.outlook();
    } catch (error) {
      this.#options.emit({ type: "heartbeatSkipped", reason: errorText(error) });
      return undefined;
    }
  }

  async #beat(outlook: ProposeOutlook): Promise<void> {
    const { emit, queue } = this.#options;
    if (outlook.turn === undefined) {
      emit({ type: "heartbeatNotBonded" });
      return;
    }
    const reason = this.#reason(outlook);
    if (reason === undefined) return;
    emit({ type: "heartbeatProposes", reason });
    this.#lastProposalMs = this.#options.nowMs();
    const result = await queue.proposeNow();
    if (result === undefined) return;
    if (result.status === "Success") emit({ type: "heartbeatSucceeded" });
    else emit({ type: "heartbeatFailed", status: result.status, sequenceNumber: result.sequenceNumber });
  }

  #reason(outlook: ProposeOutlook): HeartbeatReason | undefined {
    if (outlook.hasWaitingDeploy) return "a deploy waits";
    if (!outlook.mayPropose) return undefined;
    if (outlook.slashes > 0) return "a validator is to be slashed";
    if (outlook.hasUnfinalizedDeploy) return "a deploy is not final yet";
    const ageMs = this.#options.nowMs() - outlook.lastFinalizedMs;
    return ageMs > this.#options.maximumLfbAgeMs ? "the last finalized block is old" : undefined;
  }

  /** Until the own share of the interval begins again. */
  #delayMs(outlook: ProposeOutlook | undefined): number {
    const { checkIntervalMs, nowMs } = this.#options;
    const share = outlook?.turn === undefined ? 0 : outlook.turn / outlook.activeValidators;
    const begin = Math.floor(share * checkIntervalMs);
    const left = (begin - (nowMs() % checkIntervalMs) + checkIntervalMs) % checkIntervalMs;
    // A timer that ends a little early must not give a second turn.
    return left < checkIntervalMs * earlyShare ? left + checkIntervalMs : left;
  }

  async #sleep(ms: number, signal: AbortSignal): Promise<void> {
    const woken = new AbortController();
    this.#wake = () => woken.abort();
    if (!this.#isWoken) await this.#wait(ms, signal, woken.signal);
    this.#wake = () => {};
    this.#isWoken = false;
  }
}
