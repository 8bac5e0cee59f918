import { compareBytes, equalBytes } from "@vedette/crypto";
import type { BlockMetadata } from "../../dag/BlockMetadata.js";
import type { DagView } from "../../dag/DagView.js";
import type { FinalityRules } from "../FinalityRules.js";
import type { Floors } from "./Floors.js";
import type { StateLineage } from "./StateLineage.js";

/**
 * Finality of f1r3node: what a block on all latest messages would hold for final, if that is higher than what is
 * final already and has all its effects.
 *
 * @spec 61 §13.5
 */
export function f1r3nodeFinality(floors: Floors, lineage: StateLineage): FinalityRules {
  return {
    findFinalized(dag) {
      const found = floorOfView(dag, floors);
      const current = dag.lastFinalized();
      if (found === undefined || current === undefined) return found;
      if (found.number <= current.number || !lineage.contains(found, current)) return undefined;
      return found;
    },
  };
}

/** Computes the floor that a block on all latest messages, invalid ones too, would have. @spec 61 §13.5 */
function floorOfView(dag: DagView, floors: Floors): BlockMetadata | undefined {
  const latest = dag.latestMessages();
  const tips = latest
    .map(({ hash }) => hash)
    .sort(compareBytes)
    .filter((hash, index, sorted) => index === 0 || !equalBytes(hash, sorted[index - 1]!));
  if (tips.length === 0) return undefined;
  const justifications = latest.map(({ validator, hash }) => ({ validator, latestBlockHash: hash }));
  return floors.derive({ parents: tips.map((hash) => dag.require(hash)), justifications }).floor;
}
