import { errorText } from "@vedette/errors";
import { type Block, type Body, type Deploy, shortBlock, shortHash } from "@vedette/protocol";
import type { ChainEvent } from "../ChainEvent.js";
import type { BlockStatus } from "../validation/BlockStatus.js";
import { BlameSearch } from "./BlameSearch.js";
import { BlockTimeBudget, type PlayTimes } from "./BlockTimeBudget.js";
import { blockTime, ClockWatch } from "./blockTime.js";
import { chooseDeploys, hasSelectable } from "./chooseDeploys.js";
import { checkConstraints } from "./constraints.js";
import type { DeployExclusion } from "./DeployExclusion.js";
import { dummyDeploy } from "./dummyDeploy.js";
import { OwnProposals } from "./OwnProposals.js";
import { ProposeError } from "./ProposeError.js";
import type { ProposeFailureStatus, ProposeOptions, ProposeResult } from "./ProposeResult.js";
import type { BlockTemplate } from "./ProposeRules.js";
import { defaultLimits, type ProposeLimits, type ProposerOptions } from "./ProposerOptions.js";
import type { PlayPlan } from "./planAttempts.js";
import { playDeploys } from "./playDeploys.js";
import { type ProposeConditions, ProposeConditionsReader } from "./proposeConditions.js";
import { SlashingProtection } from "./SlashingProtection.js";
import { SynchronyRecovery } from "./SynchronyRecovery.js";
import { signedBlock } from "./signedBlock.js";
import type { Snapshot } from "./snapshot.js";

/** Choices of deploys in one proposal of which none can be executed, before it goes on without. */
const maxChoices = 8;
/** rnode's words. @spec 40 §9.7 (step 5) */
const noProgress = "Block validation failed with InvalidParents - proposal conditions no longer met, skipping propose";

/**
 * Makes blocks of one validator, one after another.
 *
 * While a block is executed, the chain goes on to take blocks of others; the finished block waits for its turn among
 * them and is validated like any other. It is on disk and in the DAG before it is sent to any peer.
 *
 * @spec 40 §9
 */
export class Proposer {
  readonly #options: ProposerOptions;
  readonly #limits: ProposeLimits;
  readonly #proposals: OwnProposals;
  readonly #guard: SlashingProtection;
  readonly #conditions: ProposeConditionsReader;
  readonly #timeBudget = new BlockTimeBudget();
  readonly #clock = new ClockWatch();
  readonly #blame = new BlameSearch();
  readonly #recovery: SynchronyRecovery | undefined;
  #isBusy = false;
  /** Whether the block that is made now may be without deploys. */
  #mayBeEmpty = true;

  constructor(options: ProposerOptions) {
    const { chain, store, key, emit, constraints } = options;
    this.#options = options;
    this.#recovery = constraints.recovery && new SynchronyRecovery(constraints.recovery);
    this.#limits = { ...defaultLimits, ...options.limits };
    this.#proposals = new OwnProposals(store, key.publicKey);
    this.#guard = new SlashingProtection({
      ...{ dag: chain.dag, ownKey: key.publicKey, proposals: this.#proposals, emit },
      dialect: chain.rules.dialect,
    });
    this.#conditions = new ProposeConditionsReader(options);
  }

  get publicKey(): Uint8Array {
    return this.#options.key.publicKey;
  }

  /** Whether this data directory knows a block that was made with the key. */
  get hasProposed(): boolean {
    return this.#proposals.last() !== undefined;
  }

  /** Must receive every event of the chain. */
  onChainEvent(event: ChainEvent): void {
    this.#guard.onChainEvent(event);
    const { pool, chain, rules, emit } = this.#options;
    if (event.type === "blockAdded") pool.trust.onBlock(event.block);
    else if (event.type === "blockFinalized") {
      const count = pool.removeFinalized(event.block, (deploy) => rules.isSettled(chain, deploy));
      emit({ type: "deploysRemoved", count, blockHash: event.block.hash });
    } else if (event.type === "lastFinalizedChanged") {
      const settled = pool.removeSettled((deploy) => rules.isSettled(chain, deploy));
      if (settled > 0) emit({ type: "deploysRemoved", count: settled, blockHash: event.hash });
      const count = pool.removeExpired(chain.dag);
      if (count > 0) emit({ type: "deploysExpired", count });
    }
  }

  /** Returns the inputs of a heartbeat's decision. @throws {ProposeError} `notBegun` @spec 40 §9.10 */
  conditions(): Promise<ProposeConditions> {
    return this.#conditions.look();
  }

  /**
   * Makes a block, if there is reason for one and it may be made. Never throws for what happens on the way.
   *
   * @param started receives the block's sequence number after the DAG was read, before any decision
   * @throws {ProposeError} `busy` when another block is being made
   * @spec 40 §9.7, §9.8
   */
  async propose(
    started: (sequenceNumber: number) => void = () => {},
    { mayBeEmpty = true }: ProposeOptions = {},
  ): Promise<ProposeResult> {
    if (this.#isBusy) throw new ProposeError({ code: "busy" });
    this.#isBusy = true;
    this.#mayBeEmpty = mayBeEmpty;
    let sequenceNumber = 0;
    try {
      await this.#options.rules.ready?.();
      const begunMs = this.#options.monotonicMs();
      const snapshot = this.#snapshot();
      ({ sequenceNumber } = snapshot);
      this.#options.emit({ type: "snapshotTaken", elapsedMs: this.#options.monotonicMs() - begunMs });
      started(sequenceNumber);
      return this.#finished(await this.#attempt(snapshot));
    } catch (error) {
      const reason = errorText(error);
      return this.#finished({ status: "BugError", sequenceNumber, reason });
    } finally {
      this.#isBusy = false;
    }
  }

  #finished(result: ProposeResult): ProposeResult {
    this.#options.emit({ type: "proposeFinished", result });
    return result;
  }

  #snapshot(): Snapshot {
    return this.#options.rules.takeSnapshot(this.#options);
  }

  async #attempt(snapshot: Snapshot): Promise<ProposeResult> {
    const { sequenceNumber } = snapshot;
    const failed = (status: ProposeFailureStatus, reason?: string): ProposeResult => ({
      status,
      sequenceNumber,
      reason,
    });
    const wait = this.#options.whyNotYet?.() ?? this.#guard.blockedReason();
    if (wait !== undefined) return failed("NotSynchronized", wait);
    const wrong = await this.#checkConstraints(snapshot);
    if (wrong !== undefined) return failed(wrong);
    // Checked before the merge of parents, which costs more.
    const { pool, dummyKey, rules } = this.#options;
    const hasDeploys = dummyKey !== undefined || hasSelectable({ pool, snapshot });
    const refusal = this.#whyNoBlock(snapshot, hasDeploys);
    if (refusal !== undefined) return failed(...refusal);
    const time = this.#time(snapshot);
    if (typeof time === "string") return failed("InternalDeployError", time);
    const template = await rules.prepare(snapshot, time, this.#options);
    return this.#make(template, await this.#times(snapshot), failed);
  }

  async #make(
    template: BlockTemplate,
    times: PlayTimes,
    failed: (status: ProposeFailureStatus, reason?: string) => ProposeResult,
  ): Promise<ProposeResult> {
    const { pool, monotonicMs, emit } = this.#options;
    const { number, sequenceNumber } = template.snapshot;
    const untilMs = monotonicMs() + times.beginMs;
    const mayGoOn = () => monotonicMs() < untilMs;
    pool.proposalBegins();
    for (let choice = 1; ; choice += 1) {
      const plan = this.#chooseDeploys(template, { ...times, beginMs: Math.max(0, untilMs - monotonicMs()) });
      const nothing = this.#whyNoBlock(template.snapshot, plan.deploys.length > 0);
      if (nothing !== undefined) {
        this.#blame.noteValid();
        return failed(...nothing);
      }
      const begunMs = monotonicMs();
      emit({ type: "creatingBlock", number, sequenceNumber });
      const body = await this.#play(template, plan, mayGoOn);
      const isInVain = body.deploys.length === 0 && plan.deploys.length > 0;
      if (isInVain && choice < maxChoices && mayGoOn()) continue;
      if (isInVain && this.#whyNoBlock(template.snapshot, false) !== undefined)
        return failed("InternalDeployError", "none of the deploys that wait can be executed");
      return this.#insert(signedBlock(template, body, this.#options), begunMs);
    }
  }

  /** The validators take turns, so that there are as many blocks in a turn. */
  async #times(snapshot: Snapshot): Promise<PlayTimes> {
    const { turnMs, longestDeployMs: ms, rules } = this.#options;
    if (ms !== undefined) return { beginMs: ms, familiarMs: ms, firstTryMs: ms, secondTryMs: ms };
    if (turnMs === undefined) return this.#timeBudget.split();
    const active = await rules.activeOn(snapshot);
    return this.#timeBudget.split(turnMs / Math.max(1, active.length));
  }

  async #checkConstraints(snapshot: Snapshot): Promise<ProposeFailureStatus | undefined> {
    const { chain, key, constraints, rules, emit, monotonicMs } = this.#options;
    const active = await rules.activeOn(snapshot);
    const facts = { dag: chain.dag, snapshot, ownKey: key.publicKey, active, recovery: this.#recovery };
    return checkConstraints({ ...facts, monotonicMs: monotonicMs() }, constraints, emit);
  }

  /** @returns the timestamp, or why there is none */
  #time({ parents }: Snapshot): bigint | string {
    const { nowMs, monotonicMs, emit } = this.#options;
    const wallMs = nowMs();
    const { jumpedByMs: byMs, isDoubtful } = this.#clock.look(wallMs, monotonicMs());
    if (byMs !== undefined) emit({ type: "clockJumped", byMs });
    if (isDoubtful) return "the clock was set forward just now, which may be a mistake";
    const time = blockTime(parents, wallMs);
    if ("timestamp" in time) return time.timestamp;
    emit({ type: "clockBehind", behindMs: time.behindMs });
    return "the clock is behind the blocks of others";
  }

  #chooseDeploys({ snapshot, timestamp }: BlockTemplate, times: PlayTimes): PlayPlan<Deploy> {
    const { pool, chain, dummyKey, emit } = this.#options;
    const { most, only } = this.#blame;
    const block = { ...this.#limits, deploys: Math.min(this.#limits.deploys, most ?? this.#limits.deploys) };
    const plan = chooseDeploys({ pool, snapshot, only }, { block, times }, emit);
    if (dummyKey === undefined) return plan;
    const dummy = dummyDeploy(dummyKey, { timestamp, number: snapshot.number, rules: chain.rules });
    const { beginMs } = times;
    const last = { index: plan.deploys.length, maximumMs: beginMs, beginBeforeMs: Number.POSITIVE_INFINITY, names: [] };
    return { deploys: [...plan.deploys, dummy], tries: [...plan.tries, last] };
  }

  /** @spec 40 §9.6 */
  #whyNoBlock({ toSlash, mayBeEmpty }: Snapshot, hasDeploys: boolean): [ProposeFailureStatus, string?] | undefined {
    if (hasDeploys) return undefined;
    const isWanted = this.#options.allowEmpty && (this.#mayBeEmpty || this.#blame.most === 0);
    if (toSlash.length === 0 && !isWanted) return ["NoNewDeploys"];
    // The block would not be valid (40 §5.4, check 10), so it is not even executed.
    return mayBeEmpty ? undefined : ["InternalDeployError", noProgress];
  }

  async #play(template: BlockTemplate, plan: PlayPlan<Deploy>, mayGoOn: () => boolean): Promise<Body> {
    const { emit } = this.#options;
    const { number } = template.snapshot;
    for (const { invalidBlockHash } of template.slashes) emit({ type: "slashingIssued", invalidBlockHash });
    const play = async ({ deploys, tries }: PlayPlan<Deploy>) => {
      const outcome = await template.play({ deploys, tries, maximumMs: this.#limits.maximumSystemMs });
      if (outcome.kind === "played") this.#timeBudget.note(outcome.body.deploys.length, outcome.playedMs);
      return outcome;
    };
    const notices = {
      putAside: (deploy: Deploy, fault: DeployExclusion) => this.#putAside(deploy, number, fault),
      tooHeavy: ({ length }: readonly Deploy[], reason: string) =>
        emit({ type: "blockTooHeavy", number, deploys: length, reason }),
    };
    return playDeploys(play, plan, notices, mayGoOn);
  }

  #putAside({ signature }: Deploy, number: bigint, fault: DeployExclusion): void {
    const { pool, emit } = this.#options;
    const { reason, isOfMachine = false } = fault;
    if (pool.has(signature) && !pool.putAside(signature, fault))
      emit({ type: "deployGivenUp", signature, number, reason });
    else emit({ type: "deployPutAside", signature, number, reason, isOfMachine });
  }

  /** Steps 4 to 6. @spec 40 §9.7 */
  async #insert(block: Block, begunMs: number): Promise<ProposeResult> {
    const { chain, announce, emit, monotonicMs } = this.#options;
    const { sequenceNumber } = block;
    this.#guard.inserting(block);
    const status = await chain
      .insertOwn(block, {
        also: (tables) => this.#proposals.put(tables, block),
        inserted: () => {
          this.#guard.inserted(block);
          emit({ type: "blockCreated", block, elapsedMs: monotonicMs() - begunMs });
        },
      })
      .catch((error: unknown) => {
        if (this.#guard.insertionFailed(block, error)) announce(block);
        throw error;
      });
    if (status.status !== "Valid") return this.#refused(block, status);
    this.#blame.noteValid();
    announce(block);
    return { status: "Success", block, sequenceNumber };
  }

  /** The block was never sent, so its sequence number is free. */
  #refused(block: Block, status: BlockStatus): ProposeResult {
    const { pool, emit } = this.#options;
    const { sequenceNumber, number } = block;
    emit({ type: "ownBlockRefused", block, status });
    if (status.status === "InvalidParents") return { status: "InternalDeployError", sequenceNumber };
    const waiting = block.body.deploys.flatMap(({ deploy }) => (pool.has(deploy.signature) ? [deploy] : []));
    const culprit = isOfExecution(status) ? this.#blame.noteRefused(waiting) : undefined;
    if (culprit !== undefined) {
      const reason = `blocks with it are not valid: ${status.status} of ${shortBlock(block)}`;
      pool.giveUp(culprit.signature, { reason, isCostly: true });
      emit({ type: "deployGivenUp", signature: culprit.signature, number, reason });
    }
    const reason = `Validation of self created block failed with reason: ${status.status}, cancelling propose.`;
    const details = status.status === "BlockException" ? `: ${status.message}` : "";
    return { status: "BugError", sequenceNumber, reason: `${reason} (${shortHash(block.hash)}${details})` };
  }
}

/** Whether a block was refused for what its deploys did. */
function isOfExecution(status: BlockStatus): boolean {
  if (status.status === "BlockException") return status.isOfMachine !== true;
  return status.status === "InvalidTransaction" && status.problem !== "preState";
}
