import { rhoExprOf } from "@vedette/api/values";
import { rnodeExecution } from "@vedette/execution";
import { rnode } from "@vedette/protocol";
import { rnodeSpace } from "@vedette/tuplespace";
import type { StateForms } from "./StateForms.js";

/** On rnode networks. */
export const rnodeForms: StateForms = {
  block: rnode.blockForm,
  space: rnodeSpace,
  execution: rnodeExecution,
  proofFormat: "vedette-state-proof/1",
  errorText: (error) => error.referenceText(),
  shown: rhoExprOf,
};
