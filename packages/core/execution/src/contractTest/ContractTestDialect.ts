import { withF1r3nodeUrns } from "@vedette/contracts";
import type { ExecutionDialect } from "../form/ExecutionDialect.js";
import { f1r3nodeExecution } from "../form/f1r3nodeExecution.js";
import { rnodeExecution } from "../form/rnodeExecution.js";

/** How programs of tests are run in a dialect. */
export interface ContractTestDialect {
  readonly execution: ExecutionDialect;
  /** A program that names system contracts as on rnode networks, in the names of the dialect. */
  programText(source: string): string;
}

/** On rnode networks. */
export const rnodeTrial: ContractTestDialect = { execution: rnodeExecution, programText: (source) => source };

/** On f1r3node networks. */
export const f1r3nodeTrial: ContractTestDialect = { execution: f1r3nodeExecution, programText: withF1r3nodeUrns };
