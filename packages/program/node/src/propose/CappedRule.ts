import type { ProposeConditions, ValidatorStanding } from "@vedette/chain";
import { emptyReason, type HeartbeatChoice, type HeartbeatRule } from "./HeartbeatRule.js";

/** How far a validator of f1r3node's networks goes ahead of finality, and how fast. @spec 61 §17.1 */
export interface HeartbeatCaps {
  /** From a block of its own that is not final to the next one, in milliseconds. */
  readonly selfProposeCooldownMs: number;
  /** How old the newest block is before one without deploys follows, and the own last one before more at a high lag. */
  readonly staleRecoveryMinIntervalMs: number;
  /** How long others wait for the leader before the next one takes its place, in milliseconds. */
  readonly finalityProgressTimeoutMs: number;
  /** How long after a block with deploys the larger cap holds, in milliseconds. */
  readonly deployFinalizationGraceMs: number;
  /** Heights from the last finalized block up to which blocks without deploys follow those of others. */
  readonly frontierChaseMaxLag: number;
  /** Likewise for deploys that wait. */
  readonly pendingDeployMaxLag: number;
  /** Likewise for deploys that wait, in the time after a block with deploys, and for votes on blocks with deploys. */
  readonly deployRecoveryMaxLag: number;
  /** Blocks that are not final from which on none without deploys is made. */
  readonly emptyFrontierMaxUnfinalizedBlocks: number;
}

/**
 * Maximum number of own blocks that no other validator refers to while finality does not follow. More blocks would be
 * more work for the others: a slow validator would fall behind for good, and finality with it.
 */
export const maxUnseen = 3;

/**
 * On f1r3node networks, where nothing but this keeps a validator from leaving the others behind.
 *
 * @spec 61 §17.1
 */
export class CappedRule implements HeartbeatRule {
  readonly #caps: HeartbeatCaps;
  readonly #maximumLfbAgeMs: number;
  #graceUntilMs = Number.NEGATIVE_INFINITY;

  /** @param maximumLfbAgeMs a last finalized block that is older is a reason for a block */
  constructor(caps: HeartbeatCaps, maximumLfbAgeMs: number) {
    this.#caps = caps;
    this.#maximumLfbAgeMs = maximumLfbAgeMs;
  }

  noteProposed(nowMs: number): void {
    this.#graceUntilMs = nowMs + this.#caps.deployFinalizationGraceMs;
  }

  choose(conditions: ProposeConditions, nowMs: number): HeartbeatChoice {
    const { isAhead } = conditions.standing;
    if (isAhead && ownAgeMs(conditions.standing, nowMs) < this.#caps.selfProposeCooldownMs)
      return wait("the own last block is young and not final");
    if (this.#isAlone(conditions.standing, nowMs))
      return wait(`the others do not know the last ${conditions.standing.unseen} own blocks`);
    if (conditions.hasWaitingDeploy || conditions.slashes > 0) return this.#carry(conditions, nowMs);
    return this.#vote(conditions, nowMs);
  }

  /** Something has to come into a block. */
  #carry(conditions: ProposeConditions, nowMs: number): HeartbeatChoice {
    const { standing, hasWaitingDeploy, slashes } = conditions;
    const { pendingDeployMaxLag, deployRecoveryMaxLag, staleRecoveryMinIntervalMs } = this.#caps;
    const cap = nowMs < this.#graceUntilMs ? Math.max(pendingDeployMaxLag, deployRecoveryMaxLag) : pendingDeployMaxLag;
    const isRested = ownAgeMs(standing, nowMs) >= staleRecoveryMinIntervalMs;
    if (!standing.isAhead || standing.lag <= cap || (isRested && this.#leads(conditions, nowMs))) {
      const reason = hasWaitingDeploy ? "a deploy waits" : "a validator is to be slashed";
      return { kind: "propose", reason, mayBeEmpty: slashes > 0 || this.#vote(conditions, nowMs).kind === "propose" };
    }
    return wait(`finality is ${standing.lag} blocks behind, more than ${cap}, and another validator's turn is due`);
  }

  /** Nothing has to come into a block; it may be that others need the vote. */
  #vote(conditions: ProposeConditions, nowMs: number): HeartbeatChoice {
    const { standing, hasUnfinalizedDeploy } = conditions;
    const { frontierChaseMaxLag, deployRecoveryMaxLag, staleRecoveryMinIntervalMs } = this.#caps;
    const reason = emptyReason(conditions, nowMs, this.#maximumLfbAgeMs);
    if (reason === undefined) return wait("nothing waits");
    const vote = { kind: "propose", reason, mayBeEmpty: true } as const;
    const isDue = hasUnfinalizedDeploy || nowMs - standing.newestMs >= staleRecoveryMinIntervalMs;
    const hasPressure = this.#hasPressure(standing);
    if (isDue && !hasPressure) {
      if (!standing.isAhead) return vote;
      const cap = hasUnfinalizedDeploy ? Math.max(frontierChaseMaxLag, deployRecoveryMaxLag) : frontierChaseMaxLag;
      if (standing.news !== "none" && standing.lag <= cap) return vote;
    }
    if (this.#isStuck(conditions, nowMs) && this.#leads(conditions, nowMs)) return vote;
    if (hasPressure) return wait(`${standing.unfinalized} blocks are not final`);
    return wait(standing.news === "none" ? "there is nothing new to vote on" : "finality is behind");
  }

  /** Whether the others have to follow first. That is not waited for if it takes long. */
  #isAlone(standing: ValidatorStanding, nowMs: number): boolean {
    const { isAhead, unseen, lag } = standing;
    const isLeft = isAhead && unseen >= maxUnseen && lag > maxUnseen;
    return isLeft && ownAgeMs(standing, nowMs) < this.#caps.finalityProgressTimeoutMs;
  }

  #hasPressure({ isAhead, unfinalized }: ValidatorStanding): boolean {
    return isAhead && unfinalized >= this.#caps.emptyFrontierMaxUnfinalizedBlocks;
  }

  /** Whether finality does not go on by what is there. */
  #isStuck({ standing, lastFinalizedMs }: ProposeConditions, nowMs: number): boolean {
    const newestAgeMs = nowMs - standing.newestMs;
    if (standing.lag === 0 || nowMs - lastFinalizedMs <= this.#maximumLfbAgeMs) return false;
    if (newestAgeMs > this.#maximumLfbAgeMs && newestAgeMs >= this.#caps.staleRecoveryMinIntervalMs) return true;
    const isFarBehind = standing.lag > Math.max(1, Math.floor(this.#caps.pendingDeployMaxLag / 2));
    return isFarBehind && newestAgeMs >= this.#caps.staleRecoveryMinIntervalMs && !this.#hasPressure(standing);
  }

  /** Whether it is this validator's turn where one alone makes blocks: by height, and by time where no block comes. */
  #leads({ turn, activeValidators, standing }: ProposeConditions, nowMs: number): boolean {
    const { finalityProgressTimeoutMs } = this.#caps;
    const waited = Math.max(0, Math.floor((nowMs - standing.newestMs) / Math.max(1, finalityProgressTimeoutMs)));
    const leader = Number((standing.number + BigInt(waited)) % BigInt(Math.max(1, activeValidators)));
    return leader === turn;
  }
}

function ownAgeMs({ ownLatestMs }: ValidatorStanding, nowMs: number): number {
  return ownLatestMs === undefined ? Number.POSITIVE_INFINITY : nowMs - ownLatestMs;
}

function wait(why: string): HeartbeatChoice {
  return { kind: "wait", why };
}
