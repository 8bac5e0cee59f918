import {
  type ArrivingDeploy,
  type BlockLimits,
  type Chain,
  type ChainEvent,
  checkDeploy,
  DeployPool,
  type DeployRules,
  type ProposeEvent,
  type ProposeRules,
  Proposer,
  refusalText,
} from "@vedette/chain";
import { equalBytes } from "@vedette/crypto";
import { errorText } from "@vedette/errors";
import type { Block, BlockSigner, Deploy, DeployKey } from "@vedette/protocol";
import type { DeployPort } from "@vedette/queries";
import type { Store } from "@vedette/store";
import { systemTimers, type Timers, waitFor } from "@vedette/sync";
import { CappedRule } from "./CappedRule.js";
import { Heartbeat } from "./Heartbeat.js";
import { type HeartbeatRule, progressRule } from "./HeartbeatRule.js";
import type { NodeProposeEvent } from "./NodeProposeEvent.js";
import { OpenProposals } from "./OpenProposals.js";
import { ProposeQueue } from "./ProposeQueue.js";
import type { HeartbeatSettings, ProposeSettings } from "./proposeSettings.js";

/** The parts with which a validator makes its blocks. */
export interface ProposingOptions {
  readonly chain: Chain;
  /** Has the tables of the chain environment. */
  readonly store: Store;
  /** How the network's blocks are made. */
  readonly rules: ProposeRules;
  /** The validator's. */
  readonly key: BlockSigner;
  /** Keys that may not sign deploys. @spec 41 §5.1 */
  readonly forbiddenKeys: readonly Uint8Array[];
  readonly settings: ProposeSettings;
  readonly dummyKey?: DeployKey | undefined;
  /** Texts of programs that are tried among the first, with any texts and numbers in them. */
  readonly trustedPrograms?: readonly string[] | undefined;
  /** Other than the settings'. */
  readonly limits?: Partial<BlockLimits>;
  /** Why nothing may be proposed yet: the node is not synchronized with its peers. */
  readonly whyNotYet: () => string | undefined;
  /** Why no deploy can be kept now; left out: they can at any time. */
  readonly whyNoRoom?: () => string | undefined;
  /** Announces a block of this node to peers. */
  readonly announce: (block: Block) => void;
  readonly emit: (event: ProposeEvent | NodeProposeEvent) => void;
  /** Unix milliseconds. */
  readonly nowMs: () => number;
  /** A clock that is never set. */
  readonly monotonicMs: () => number;
  /** The machine's without. */
  readonly timers?: Timers;
  /** How long one deploy may be executed, where no other validator waits; without: as the rhythm of blocks allows. */
  readonly longestDeployMs?: number | undefined;
  /** Whether {@link Proposing.submitUnsigned} takes deploys; on a chain for development only. */
  readonly takesUnsigned?: boolean;
  /** Whether a sender of deploys that fail has to wait; default yes. */
  readonly sendersWait?: boolean;
}

/** A deploy that is not on disk yet. */
interface Arriving extends ArrivingDeploy {
  readonly resolve: (refusal: string | undefined) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * All that a validator has and an observer has not: the deploys that wait, and what turns them into blocks.
 *
 * @spec 40 §9
 */
export class Proposing implements DeployPort {
  readonly pool: DeployPool;
  readonly proposer: Proposer;
  readonly queue: ProposeQueue;
  readonly #options: ProposingOptions;
  readonly #rules: DeployRules;
  readonly #timers: Timers;
  readonly #heartbeat: Heartbeat | undefined;
  readonly #arriving: Arriving[] = [];
  readonly #open = new OpenProposals();
  #isTriggered = false;
  #isRunning = false;
  #ended: AbortSignal = AbortSignal.abort();
  #goesOn: Promise<unknown> = Promise.resolve();

  constructor(options: ProposingOptions) {
    const { chain, store, forbiddenKeys, settings } = options;
    const { shardName, minimumPhloPrice, dialect } = chain.rules;
    this.#options = options;
    const timers = options.timers ?? systemTimers;
    this.#timers = timers;
    this.#rules = { shardName, minimumPhloPrice, forbiddenKeys, dialect };
    this.pool = new DeployPool(store, this.#rules, options);
    const { constraints, heartbeat, slashesUnconfirmed } = settings;
    const allowEmpty = heartbeat !== undefined;
    const turnMs = heartbeat?.checkIntervalMs;
    const limits = { ...deployLimit(settings), ...options.limits };
    const emit = (event: ProposeEvent | NodeProposeEvent): void => this.#emit(event);
    this.proposer = new Proposer({
      ...{ ...options, pool: this.pool, constraints, slashesUnconfirmed, allowEmpty, turnMs, limits, emit },
    });
    this.queue = new ProposeQueue(this.proposer, emit);
    this.#heartbeat =
      heartbeat === undefined
        ? undefined
        : new Heartbeat({
            ...{ ...options, ...heartbeat, proposer: this.proposer, queue: this.queue, rule: ruleOf(heartbeat) },
            wait: (ms, ...signals) => waitFor(timers, ms, ...signals),
          });
  }

  check(deploy: Deploy): string | undefined {
    const refusal = checkDeploy(deploy, this.#rules);
    return refusal === undefined ? undefined : refusalText(refusal);
  }

  whyNotNow(): string | undefined {
    return this.#options.whyNoRoom?.();
  }

  /** When this answers, the deploy is on disk; deploys that come together are written together. */
  submit(deploy: Deploy, origin?: string): Promise<string | undefined> {
    return this.#take({ deploy, origin });
  }

  /**
   * Takes a deploy without a valid signature. No API calls this; a node that is not a development chain refuses.
   *
   * @returns why it is refused
   */
  submitUnsigned(deploy: Deploy): Promise<string | undefined> {
    return this.#take({ deploy, isUnsigned: true });
  }

  #take(arriving: ArrivingDeploy): Promise<string | undefined> {
    return new Promise((resolve, reject) => {
      this.#arriving.push({ ...arriving, resolve, reject });
      if (this.#arriving.length === 1) void this.#timers.yieldNow().then(() => this.#submitAll());
    });
  }

  #submitAll(): void {
    const arrived = this.#arriving.splice(0);
    try {
      const answers = this.pool.submitAll(arrived);
      for (const [index, { deploy, resolve }] of arrived.entries()) {
        const answer = answers[index]!;
        if (answer.kind === "accepted") this.#options.emit({ type: "deployReceived", deploy });
        resolve(answer.kind === "refused" ? refusalText(answer.refusal) : undefined);
      }
    } catch (error) {
      for (const { reject } of arrived) reject(error);
      return;
    }
    this.#heartbeat?.onDeploy();
    // Vedette's rule (40 §9.9): rnode does so only where a dev key is configured.
    this.#autopropose();
  }

  /** Must receive every event of the chain. */
  onChainEvent(event: ChainEvent): void {
    this.proposer.onChainEvent(event);
    if (event.type !== "blockAdded" && event.type !== "blockRefused") return;
    if (!equalBytes(event.block.sender, this.proposer.publicKey)) this.#autopropose();
  }

  /**
   * Proposes by itself, where it is configured to, until the signal; then waits for the block that is being made.
   * To be started when the node is in the running state.
   *
   * @spec 40 §9.9, §9.10
   */
  async run(signal: AbortSignal): Promise<void> {
    const { chain, rules } = this.#options;
    this.pool.resume(chain, (deploy) => rules.isSettled(chain, deploy));
    this.#ended = signal;
    this.#isRunning = true;
    this.#autopropose();
    await this.#heartbeat?.run(signal);
    if (!signal.aborted) await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
    this.#isRunning = false;
    await this.queue.close();
    await this.#goesOn;
  }

  #emit(event: ProposeEvent | NodeProposeEvent): void {
    this.#options.emit(event);
    const remainder = this.#open.onEvent(event);
    if (remainder.kind === "none" || !this.#options.settings.autopropose) return;
    this.#goesOn = Promise.all([this.#goesOn, this.#goOn(remainder.afterMs)]);
  }

  /** Deploys that wait behind a block go into the next one. @spec 40 §9.9 */
  async #goOn(afterMs: number): Promise<void> {
    if (afterMs > 0) await waitFor(this.#timers, afterMs, this.#ended);
    try {
      if (this.#isRunning && (await this.proposer.conditions()).hasWaitingDeploy) this.#autopropose();
    } catch (error) {
      this.#options.emit({ type: "conditionsFailed", reason: errorText(error) });
    }
  }

  /** After what is going on now, so that a block is not made in the middle of others' processing. @spec 40 §9.9 */
  #autopropose(): void {
    if (!this.#options.settings.autopropose || this.#isTriggered || !this.#isRunning) return;
    this.#isTriggered = true;
    void this.#timers.yieldNow().then(() => {
      this.#isTriggered = false;
      // An empty block in reply to each block of others would start an endless exchange of empty blocks.
      if (this.#isRunning) this.queue.trigger({ mayBeEmpty: false });
    });
  }
}

function deployLimit({ maxUserDeploys }: ProposeSettings): Partial<BlockLimits> {
  return maxUserDeploys === undefined ? {} : { deploys: maxUserDeploys };
}

function ruleOf({ caps, maximumLfbAgeMs }: HeartbeatSettings): HeartbeatRule {
  return caps === undefined ? progressRule(maximumLfbAgeMs) : new CappedRule(caps, maximumLfbAgeMs);
}
