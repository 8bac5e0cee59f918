import type { ProposeConditions, ProposeResult, Proposer } from "@vedette/chain";
import { errorText } from "@vedette/errors";
import { systemTimers, waitFor } from "@vedette/sync";
import type { HeartbeatRule } from "./HeartbeatRule.js";
import type { NodeProposeEvent } from "./NodeProposeEvent.js";
import type { ProposeQueue } from "./ProposeQueue.js";

/** Waits, at most until one of the signals; ends without a word in either case. */
export type Wait = (ms: number, ...signals: readonly AbortSignal[]) => Promise<void>;

/** The parts that a heartbeat works with. */
export interface HeartbeatOptions {
  readonly proposer: Pick<Proposer, "conditions">;
  readonly queue: Pick<ProposeQueue, "proposeNow">;
  readonly checkIntervalMs: number;
  /** For the log. */
  readonly maximumLfbAgeMs: number;
  readonly rule: HeartbeatRule;
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

/** The rest after own blocks that were not valid: this many intervals, twice as many after each further one. */
const firstRestIntervals = 2;
const longestRestMs = 60_000;

/**
 * Proposes blocks without a request of a client, so that deploys get into blocks and blocks become final.
 *
 * Ours: validators take turns. The check interval is divided into as many shares as there are active validators; each
 * begins at its own share on the clock of all, its *turn*, so that blocks rarely meet. rnode begins after a random time. The {@link HeartbeatRule} decides whether there is a
 * reason for a block.
 *
 * @spec 40 §9.10, 61 §17.1
 */
export class Heartbeat {
  readonly #options: HeartbeatOptions;
  readonly #wait: Wait;
  #wake: () => void = () => {};
  #isWoken = false;
  #lastProposalMs = Number.NEGATIVE_INFINITY;
  #lastWhy: string | undefined;
  /** Own blocks in a row that were not valid. */
  #failures = 0;
  #restUntilMs = Number.NEGATIVE_INFINITY;

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
    let conditions = await this.#look();
    emit({ type: "heartbeatStarted", delayMs: this.#delayMs(conditions), checkIntervalMs, maximumLfbAgeMs });
    while (!signal.aborted) {
      await this.#sleep(this.#delayMs(conditions), signal);
      if (signal.aborted) return;
      conditions = await this.#look();
      if (conditions !== undefined) await this.#beat(conditions);
    }
  }

  async #look(): Promise<ProposeConditions | undefined> {
    try {
      return await this.#options.proposer.conditions();
    } catch (error) {
      this.#options.emit({ type: "heartbeatSkipped", reason: errorText(error) });
      return undefined;
    }
  }

  async #beat(conditions: ProposeConditions): Promise<void> {
    const { emit, queue } = this.#options;
    if (conditions.turn === undefined) {
      emit({ type: "heartbeatNotBonded" });
      return;
    }
    const { nowMs, rule } = this.#options;
    if (nowMs() < this.#restUntilMs) return;
    const choice = rule.choose(conditions, nowMs());
    if (choice.kind === "wait") {
      if (choice.why !== this.#lastWhy) emit({ type: "heartbeatWaits", why: choice.why });
      this.#lastWhy = choice.why;
      return;
    }
    this.#lastWhy = undefined;
    emit({ type: "heartbeatProposes", reason: choice.reason });
    this.#lastProposalMs = nowMs();
    const result = await queue.proposeNow(choice);
    if (result === undefined) return;
    this.#noteResult(result);
    if (result.status === "Success") emit({ type: "heartbeatSucceeded" });
    else emit({ type: "heartbeatFailed", status: result.status, sequenceNumber: result.sequenceNumber });
  }

  #noteResult(result: ProposeResult): void {
    const { nowMs, checkIntervalMs, rule } = this.#options;
    if (result.status === "Success" && result.block.body.deploys.length > 0) rule.noteProposed?.(nowMs());
    this.#failures = result.status === "BugError" ? this.#failures + 1 : 0;
    const restMs = Math.min(longestRestMs, checkIntervalMs * firstRestIntervals ** Math.min(this.#failures, 4));
    this.#restUntilMs = this.#failures === 0 ? Number.NEGATIVE_INFINITY : nowMs() + restMs;
  }

  /** Until the own share of the interval begins again. */
  #delayMs(conditions: ProposeConditions | undefined): number {
    const { checkIntervalMs, nowMs } = this.#options;
    const share = conditions?.turn === undefined ? 0 : conditions.turn / conditions.activeValidators;
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
