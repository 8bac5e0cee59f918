import * as Type from "typebox";
import { exampleChain } from "../exampleChain.js";
import { defineRoute } from "../RouteContract.js";
import { unforgeableInput } from "../rhoValues.js";
import { dataAtNameAtBlockRoute, exploreAtBlockRoute, exploreDeployRoute, exploreTermRoute } from "../stateRoutes.js";
import { ofF1r3nodeNodes } from "./asF1r3nodeRoute.js";
import { f1r3nodeRhoData } from "./f1r3nodeValues.js";

const sum = "new return in { return!(1 + 2) }";
const usePreStateHash = Type.Optional(
  Type.Boolean({ description: "Use the state before the block instead of the state after it." }),
);
/** Failures of a program: unknown block, failed program, all readers busy, time limit exceeded. */
const programStatuses = [404, 422, 503, 504];

/** `POST /api/explore-deploy` of f1r3node: JSON, unlike rnode's. @spec 50 §10.4 */
export const f1r3nodeExploreRoute = defineRoute({
  ...ofF1r3nodeNodes(exploreDeployRoute, { otherStatuses: [...programStatuses, 415], isVersioned: true }),
  description:
    "The state does not change. The program must be a single `new return, … in { … }`; the answer has the values sent on `return`. Validators refuse this request.",
  body: { type: "application/json", schema: Type.Object({ term: Type.String({ description: "Rholang program." }) }) },
  answer: f1r3nodeRhoData,
  examples: [{ name: "a sum", body: { term: sum } }],
});

/** `POST /explore-deploy` on f1r3node networks: text, or the `term` of JSON. @spec 50 §8.7 */
export const f1r3nodeExploreTermRoute = defineRoute({
  ...ofF1r3nodeNodes(exploreTermRoute, { otherStatuses: programStatuses }),
  answer: f1r3nodeRhoData,
});

/** `POST /api/explore-deploy-by-block-hash` of f1r3node. @spec 50 §10.4 */
export const f1r3nodeExploreAtBlockRoute = defineRoute({
  ...ofF1r3nodeNodes(exploreAtBlockRoute, { otherStatuses: programStatuses }),
  body: {
    type: "application/json",
    schema: Type.Object({
      term: Type.String({ description: "Rholang program." }),
      blockHash: Type.String({ description: "Block hash in hex; required." }),
      usePreStateHash,
    }),
  },
  answer: f1r3nodeRhoData,
  examples: [{ name: "a sum", body: { term: sum, blockHash: exampleChain.earlierBlockHash } }],
});

/** `POST /api/data-at-name-by-block-hash` of f1r3node. @spec 50 §10.4 */
export const f1r3nodeDataAtBlockRoute = defineRoute({
  ...ofF1r3nodeNodes(dataAtNameAtBlockRoute, { otherStatuses: [404] }),
  summary: "Returns the data on an unforgeable name after a block; empty if the block did not use the name.",
  body: {
    type: "application/json",
    schema: Type.Object({ name: unforgeableInput, blockHash: Type.String(), usePreStateHash }),
  },
  answer: f1r3nodeRhoData,
});
