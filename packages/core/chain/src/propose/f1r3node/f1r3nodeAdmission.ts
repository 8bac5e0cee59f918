import { hashKey } from "@vedette/protocol";
import { deployLifespan } from "../../ChainRules.js";
import { AncestorWalk } from "../../dag/AncestorWalk.js";
import type { BlockMetadata } from "../../dag/BlockMetadata.js";
import { type Disposition, type RepeatSources, recentDispositions } from "../../validation/f1r3node/repeatedDeploy.js";
import type { DeployAdmission } from "../DeployAdmission.js";

/** The past of a new block, as far as it decides which deploys the block can have. */
export interface F1r3nodePast {
  readonly parents: readonly BlockMetadata[];
  readonly floor: BlockMetadata;
  /** The new block's number. */
  readonly number: bigint;
  /** Unix milliseconds. */
  readonly timestamp: bigint;
  /** `hashKey`s of signatures with effects in the state that the block begins with. */
  readonly effects: ReadonlySet<string>;
}

/**
 * f1r3node's rule: a deploy that a merge gave up comes again as soon as that is final.
 *
 * @spec 61 §14.2, §17
 */
export function f1r3nodeAdmission(sources: RepeatSources, past: F1r3nodePast): DeployAdmission {
  const { parents, floor, number, timestamp, effects } = past;
  let dispositions: ReadonlyMap<string, Disposition> | undefined;
  const belowFloor = new AncestorWalk(sources.dag, floor);
  const dispositionOf = (signature: Uint8Array): Disposition | undefined => {
    dispositions ??= recentDispositions(parents, sources);
    return dispositions.get(hashKey(signature));
  };
  const mayComeAgain = ({ isRejected, record }: Disposition): boolean =>
    isRejected && record !== undefined && belowFloor.includes(record);
  return {
    timeReason({ validAfterBlockNumber, expirationTimestamp }) {
      if (validAfterBlockNumber >= number) return "future";
      if (validAfterBlockNumber <= floor.number - deployLifespan) return "expired";
      return expirationTimestamp !== 0n && timestamp > expirationTimestamp ? "expired" : undefined;
    },
    isInScope({ signature }) {
      if (effects.has(hashKey(signature))) return true;
      const disposition = dispositionOf(signature);
      return disposition !== undefined && !mayComeAgain(disposition);
    },
    isRetry({ signature }) {
      if (sources.dag.blocksOfDeploy(signature).length === 0) return false;
      const disposition = dispositionOf(signature);
      return disposition !== undefined && mayComeAgain(disposition);
    },
  };
}
