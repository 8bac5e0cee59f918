import { newerExprOf } from "@vedette/api/values";
import { rustExecution } from "@vedette/execution";
import { rnodeRust } from "@vedette/protocol";
import { rustSpace } from "@vedette/tuplespace";
import type { StateForms } from "./StateForms.js";

/** On networks of the newer node. */
export const rustForms: StateForms = {
  block: rnodeRust.blockForm,
  space: rustSpace,
  execution: rustExecution,
  proofFormat: "vedette-state-proof-rust/1",
  errorText: ({ message }) => message,
  shown: newerExprOf,
};
