import { f1r3nodeExprOf } from "@vedette/api/values";
import { f1r3nodeExecution } from "@vedette/execution";
import { f1r3node } from "@vedette/protocol";
import { f1r3nodeSpace } from "@vedette/tuplespace";
import type { StateForms } from "./StateForms.js";

/** On f1r3node networks. */
export const f1r3nodeForms: StateForms = {
  block: f1r3node.blockForm,
  space: f1r3nodeSpace,
  execution: f1r3nodeExecution,
  proofFormat: "vedette-state-proof-rust/1",
  errorText: ({ message }) => message,
  shown: f1r3nodeExprOf,
};
