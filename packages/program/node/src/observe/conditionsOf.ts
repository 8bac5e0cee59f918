import { conditionCodes, type IndexStatusView, type SyncStatusView } from "@vedette/api";
import { type Shortage, shortageText } from "../machine/LowDiskGate.js";
import type { FoundCondition } from "./Conditions.js";

/** The facts of a node, or of a replica, that show its conditions. */
export interface ConditionSources {
  readonly sync: SyncStatusView;
  readonly shortage: Shortage | undefined;
  readonly index?: IndexStatusView | undefined;
  /** Why no peer is connected, where one is expected. */
  readonly alone?: FoundCondition | undefined;
  /** Why it has no chain yet. */
  readonly joinFailure?: string | undefined;
  readonly clock?: FoundCondition | undefined;
  /** The block that it could not judge within its limits. */
  readonly limit?: string | undefined;
  /** Why a validator makes no blocks yet. */
  readonly proposingWaits?: string | undefined;
}

/** All that is wrong now, the worst first. @spec 50 §6.8 */
export function conditionsOf(sources: ConditionSources): readonly FoundCondition[] {
  const { shortage, alone, joinFailure, clock, limit, proposingWaits } = sources;
  const found: (FoundCondition | undefined)[] = [
    shortage && { code: "diskFull", sinceMs: shortage.sinceMs, reason: shortageText(shortage) },
    alone,
    alone === undefined ? reasoned("cannotJoin", joinFailure) : undefined,
    clock,
    ...ofSync(sources.sync),
    reasoned("beyondLimits", limit),
    // A node without a chain waits for the chain, not for this.
    sources.sync.finalizedBlockNumber === undefined ? undefined : reasoned("proposingWaits", proposingWaits),
    ofIndex(sources.index),
  ];
  const rank = ({ code }: FoundCondition) => conditionCodes.indexOf(code);
  return found.filter((one) => one !== undefined).sort((one, other) => rank(one) - rank(other));
}

function ofSync({ phase, replica, history, finality, unvalidatedBlocks, bottleneck, lastError }: SyncStatusView) {
  const stopped = reasoned("streamStopped", replica?.stopReason);
  const waits = bottleneck === "execution" ? "blocks wait for execution" : "waiting for blocks or states";
  const because = lastError === undefined ? "" : `; last error: ${lastError}`;
  const found: (FoundCondition | undefined)[] = [
    stopped,
    phase === "stalled" && stopped === undefined ? reasoned("stalled", `${waits}${because}`) : undefined,
    unvalidatedBlocks > 0
      ? reasoned("unjudged", `${unvalidatedBlocks} blocks could not be validated${because}`)
      : undefined,
    history?.phase === "refuted"
      ? reasoned("historyRefuted", history.reason ?? "it leads to another state")
      : undefined,
  ];
  const stalledSinceMs = finality?.stalledSinceMs;
  const stands = stalledSinceMs === undefined ? undefined : reasoned("finalityStands", finality?.reason ?? "");
  return [...found, stands && { ...stands, sinceMs: stalledSinceMs! }];
}

function ofIndex(index: IndexStatusView | undefined): FoundCondition | undefined {
  return index?.phase === "failing" ? reasoned("indexFailing", index.lastError ?? "not writable") : undefined;
}

function reasoned(code: FoundCondition["code"], reason: string | undefined): FoundCondition | undefined {
  return reason === undefined ? undefined : { code, reason: reason.replace(/\.$/, "") };
}
