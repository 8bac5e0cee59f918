import type { Par } from "@vedette/terms";
import type { Budget } from "../../evaluate/Budget.js";
import type { WorkMeter } from "../../match/WorkMeter.js";
import type { ExternalServices } from "../../system/ExternalServices.js";
import type { SystemFacts } from "../../system/SystemFacts.js";
import type { F1r3nodeChargingSpace } from "../cost/F1r3nodeChargingSpace.js";
import type { F1r3nodePhlo } from "../cost/F1r3nodePhlo.js";

/** How the values of a number channel are merged. @spec 61 §12.2 */
export type MergeKind = "add" | "or";

/** The parts that one evaluation works with. */
export interface F1r3nodeSurroundings {
  readonly space: F1r3nodeChargingSpace;
  readonly phlo: F1r3nodePhlo;
  readonly facts: SystemFacts;
  readonly services: ExternalServices;
  /** Whether recorded outputs replace external calls. */
  readonly replay: boolean;
  /** Returns how a channel is merged that has a tuple beginning with this name. */
  readonly mergeKindOf: (tag: Par) => MergeKind | undefined;
  readonly budget: Budget | undefined;
  readonly meter: WorkMeter | undefined;
}
