import type { ProposeConditions } from "@vedette/chain";
import type { HeartbeatReason } from "./NodeProposeEvent.js";

/** The decision of a heartbeat: to have a block made, or why not. */
export type HeartbeatChoice =
  | {
      readonly kind: "propose";
      readonly reason: HeartbeatReason;
      /** Whether the block is worth making without deploys. */
      readonly mayBeEmpty: boolean;
    }
  | { readonly kind: "wait"; readonly why: string };

/** When a heartbeat has a block made. */
export interface HeartbeatRule {
  /** @param nowMs Unix milliseconds */
  choose(conditions: ProposeConditions, nowMs: number): HeartbeatChoice;
  /** A block with deploys was made for it. */
  noteProposed?(nowMs: number): void;
}

/**
 * On rnode networks, where a block without deploys must build on new ones of others.
 *
 * @param maximumLfbAgeMs a last finalized block that is older is a reason for a block
 * @spec 40 §9.10
 */
export function progressRule(maximumLfbAgeMs: number): HeartbeatRule {
  return {
    choose(conditions, nowMs) {
      const reason = conditions.mayPropose ? emptyReason(conditions, nowMs, maximumLfbAgeMs) : undefined;
      if (conditions.hasWaitingDeploy)
        return { kind: "propose", reason: "a deploy waits", mayBeEmpty: reason !== undefined };
      if (reason !== undefined) return { kind: "propose", reason, mayBeEmpty: true };
      return { kind: "wait", why: conditions.mayPropose ? "nothing waits" : "no others have made blocks" };
    },
  };
}

/** Why a block without deploys is worth making. */
export function emptyReason(
  conditions: Pick<ProposeConditions, "slashes" | "hasUnfinalizedDeploy" | "lastFinalizedMs">,
  nowMs: number,
  maximumLfbAgeMs: number,
): HeartbeatReason | undefined {
  if (conditions.slashes > 0) return "a validator is to be slashed";
  if (conditions.hasUnfinalizedDeploy) return "a deploy is not final yet";
  return nowMs - conditions.lastFinalizedMs > maximumLfbAgeMs ? "the last finalized block is old" : undefined;
}
