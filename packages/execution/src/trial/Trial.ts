import { withNewerUrns } from "@vedette/contracts";
import type { ExecutionForm } from "../form/ExecutionForm.js";
import { rustExecution } from "../form/rustExecution.js";
import { scalaExecution } from "../form/scalaExecution.js";

/** How programs of tests are run in a dialect. */
export interface Trial {
  readonly execution: ExecutionForm;
  /** A program that names system contracts as on networks of the reference node, in the names of the dialect. */
  programText(source: string): string;
}

/** On networks of the reference node. */
export const scalaTrial: Trial = { execution: scalaExecution, programText: (source) => source };

/** On networks of the newer node. */
export const rustTrial: Trial = { execution: rustExecution, programText: withNewerUrns };
