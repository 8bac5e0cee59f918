import { rhoExprOf } from "@vedette/api/values";
import { scalaExecution } from "@vedette/execution";
import { rnodeScala } from "@vedette/protocol";
import { scalaSpace } from "@vedette/tuplespace";
import type { StateForms } from "./StateForms.js";

/** On networks of the reference node. */
export const scalaForms: StateForms = {
  block: rnodeScala.blockForm,
  space: scalaSpace,
  execution: scalaExecution,
  proofFormat: "vedette-state-proof/1",
  errorText: (error) => error.referenceText(),
  shown: rhoExprOf,
};
