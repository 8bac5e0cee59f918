import { hashKey } from "@vedette/protocol";
import type { BlockMetadata } from "../dag/BlockMetadata.js";
import type { DagView } from "../dag/DagView.js";
import { recentAncestors } from "../validation/repeatDeploy.js";
import type { DeployAdmission } from "./DeployAdmission.js";

/** Heights that decide. */
export interface AdmittedHeights {
  /** The new block's number. */
  readonly number: bigint;
  /** Deploys valid after this height or a lower one have expired. */
  readonly earliest: bigint;
}

/**
 * rnode's rule: a deploy comes once, and a merge that gives it up is its end.
 *
 * @spec 40 §9.3, §9.5
 */
export function pastAdmission(
  dag: DagView,
  parents: readonly BlockMetadata[],
  { number, earliest }: AdmittedHeights,
): DeployAdmission {
  let recent: ReadonlySet<string> | undefined;
  return {
    timeReason({ validAfterBlockNumber }) {
      if (validAfterBlockNumber >= number) return "future";
      return validAfterBlockNumber <= earliest ? "expired" : undefined;
    },
    isInScope({ signature }) {
      const blocks = dag.blocksOfDeploy(signature);
      if (blocks.length === 0) return false;
      recent ??= recentAncestors(dag, parents);
      return blocks.some((hash) => recent?.has(hashKey(hash)) === true);
    },
    isRetry: () => false,
  };
}
