import { errorText } from "@vedette/errors";
import { mergeScopes } from "../merge/scope.js";
import type { ParentsState } from "../validation/BlockExecution.js";
import { mergeableParents } from "./mergeableParents.js";
import type { ProposeExecution } from "./ProposeExecution.js";
import type { ProposeView } from "./ProposeRules.js";
import { type Snapshot, type SnapshotView, snapshotOn } from "./snapshot.js";

/** A snapshot with what its parents leave; perhaps of fewer parents than at first. */
export interface PreparedState {
  readonly snapshot: Snapshot;
  readonly state: ParentsState;
}

type StateUse = Pick<ProposeView, "chain" | "key" | "nowMs" | "slashesUnconfirmed" | "emit"> & {
  readonly execution: ProposeExecution;
};

/**
 * Prepares what the parents leave; where they cannot be merged, what the first leaves.
 *
 * @spec 40 §12, 41 §2.2
 */
export async function prepareState(snapshot: Snapshot, use: StateUse): Promise<PreparedState> {
  const { parents, lastFinalized } = snapshot;
  const [main] = parents;
  const alone = { stateHash: main!.postStateHash, rejectedDeploys: [] };
  if (parents.length === 1) return { snapshot, state: alone };
  try {
    const { chain } = use;
    const epochLength = await use.execution.epochLength(main!.postStateHash);
    const mergeable = mergeableParents(parents, { chain, epochLength, justifications: snapshot.justifications });
    if (mergeable.length > 1) {
      const onMergeable = snapshotOn(chain.dag, mergeable, viewOf(use), lastFinalized);
      const state = await mergedState(onMergeable, use);
      if (state !== undefined) return { snapshot: onMergeable, state };
    }
  } catch (error) {
    const reason = errorText(error);
    use.emit({ type: "mergeGivenUp", parents: parents.length, reason });
  }
  const onMain = snapshotOn(use.chain.dag, [main!], viewOf(use), lastFinalized);
  return { snapshot: onMain, state: alone };
}

function viewOf({ key, nowMs, slashesUnconfirmed }: StateUse): SnapshotView {
  return { ownKey: key.publicKey, nowMs: nowMs(), slashesUnconfirmed };
}

async function mergedState(
  { parents, justifications }: Snapshot,
  { chain, execution }: StateUse,
): Promise<ParentsState | undefined> {
  const creator = { justifications, threshold: chain.rules.faultToleranceThreshold };
  // The first is the view that a validating node tries first.
  for (const scope of mergeScopes(chain.dag, parents, creator)) return execution.merge(scope);
  return undefined;
}
