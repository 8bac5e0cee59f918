import type { TSchema } from "typebox";
import * as Type from "typebox";
import { exampleChain } from "./exampleChain.js";
import { defineRoute } from "./RouteContract.js";
import { rhoExpr, taggedRhoExpr, unforgeableInput } from "./rhoValues.js";
import { int32, int64, named } from "./scalars.js";
import { lightBlockInfo } from "./values.js";

const group = "State";
const dataOf = <Expr extends TSchema>(name: string, expr: Expr) => ({
  description: "Values, and the block whose state was read.",
  schema: named(
    name,
    Type.Object({
      expr: Type.Array(expr),
      block: lightBlockInfo,
      cost: Type.Optional(int64({ description: "Cost of the program in phlo; only on f1r3node networks." })),
    }),
  ),
});

/** `RhoDataResponse`. @spec 50 §1.7 */
const rhoData = dataOf("RhoDataResponse", rhoExpr);
/** `RhoDataResponse` of the versioned API. @spec 50 §1.10 */
export const taggedRhoData = dataOf("RhoDataResponseTagged", taggedRhoExpr);

const sum = "new return in { return!(1 + 2) }";
const usePreStateHash = Type.Boolean({ description: "Use the state before the block instead of the state after it." });

/** `POST /api/explore-deploy`: the body is the program's text, also when it looks like JSON. @spec 50 §1.9 */
export const exploreDeployRoute = defineRoute({
  name: "exploreDeploy",
  method: "POST",
  paths: ["/api/explore-deploy"],
  group,
  summary: "Runs a program on the last finalized state and returns the values that it sends on its first name.",
  description:
    "The state does not change. The program must be a single `new return, … in { … }`; the answer has the values sent on `return`. The body is the program itself, not JSON.",
  body: { type: "text/plain", schema: Type.String() },
  answer: rhoData,
  changes: "always",
  refusals: "text",
  otherStatuses: [503],
  examples: [{ name: "a sum", body: sum }],
});

/** `POST /explore-deploy`, which rnode does not have: text, or the `term` of JSON. @spec 50 §8.7 */
export const exploreTermRoute = defineRoute({
  name: "exploreTerm",
  method: "POST",
  paths: ["/explore-deploy"],
  group,
  summary: "Runs a program like `/api/explore-deploy`; the body may also be a JSON object with the program in `term`.",
  body: {
    type: "text/plain",
    schema: Type.String(),
    otherForm: { type: "application/json", schema: Type.Object({ term: Type.String() }) },
  },
  answer: rhoData,
  changes: "always",
  refusals: "text",
  otherStatuses: [503],
  examples: [
    { name: "a sum", body: sum },
    { name: "a sum, as JSON", body: JSON.stringify({ term: sum }) },
  ],
});

/** `POST /explore-deploy-by-block-hash`. @spec 50 §1.9 */
export const exploreAtBlockRoute = defineRoute({
  name: "exploreAtBlock",
  method: "POST",
  paths: ["/api/explore-deploy-by-block-hash", "/explore-deploy-by-block-hash"],
  group,
  summary: "Runs a program on the state of a block and returns the values that it sends on its first name.",
  body: {
    type: "application/json",
    schema: Type.Object({
      term: Type.String({ description: "Rholang program." }),
      blockHash: Type.String({ description: "Block hash in hex; empty for the last finalized block." }),
      usePreStateHash,
    }),
  },
  answer: rhoData,
  changes: "always",
  refusals: "text",
  otherStatuses: [503],
  examples: [
    { name: "a sum", body: { term: sum, blockHash: exampleChain.earlierBlockHash, usePreStateHash: false } },
    { name: "on the last finalized state", body: { term: sum, blockHash: "", usePreStateHash: false } },
  ],
});

/** `POST /data-at-name`. @spec 50 §1.9 */
export const dataAtNameRoute = defineRoute({
  name: "dataAtName",
  method: "POST",
  paths: ["/api/data-at-name", "/data-at-name"],
  group,
  summary: "Returns the data that deploys of the newest blocks left on an unforgeable name.",
  body: {
    type: "application/json",
    schema: Type.Object({
      name: unforgeableInput,
      depth: int32({ description: "Number of heights to search, from the newest." }),
    }),
  },
  answer: {
    description: "Data per block, oldest block first.",
    schema: Type.Object({
      exprs: Type.Array(Type.Object({ expr: rhoExpr, block: lightBlockInfo })),
      length: int32(),
    }),
  },
  changes: "always",
  refusals: "text",
  otherStatuses: [503],
  examples: [
    {
      name: "the name of a deploy",
      body: { name: { UnforgDeploy: { data: exampleChain.deployId } }, depth: 20 },
      answer: { exprs: [], length: 0 },
    },
  ],
});

/** `POST /data-at-name-by-block-hash`. @spec 50 §1.9 */
export const dataAtNameAtBlockRoute = defineRoute({
  name: "dataAtNameAtBlock",
  method: "POST",
  paths: ["/api/data-at-name-by-block-hash", "/data-at-name-by-block-hash"],
  group,
  summary: "Returns the data on an unforgeable name after a block that used the name.",
  body: {
    type: "application/json",
    schema: Type.Object({
      name: unforgeableInput,
      blockHash: Type.String(),
      // Quirk 50 §1.7: it must be there, and has no effect.
      usePreStateHash: Type.Boolean({ description: "Required, but has no effect." }),
    }),
  },
  answer: rhoData,
  changes: "always",
  refusals: "text",
  otherStatuses: [503],
  examples: [],
});
