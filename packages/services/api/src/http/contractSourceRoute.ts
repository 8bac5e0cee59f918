import * as Type from "typebox";
import { defineRoute } from "./RouteContract.js";
import { int32 } from "./scalars.js";
import { namedBlock } from "./stateEntryRoutes.js";

/** Longest program that is compared, in UTF-16 units. */
export const maxSourceLength = 16_384;

/** `POST /v2/contract-source`. @spec 50 §1.13 */
export const contractSourceRoute = defineRoute({
  name: "contractSource",
  method: "POST",
  paths: ["/v2/contract-source"],
  group: "States and proofs",
  summary: "Compares a program with the contract that the registry names.",
  description:
    "The node compiles the program and compares its receives with those that wait at the registered name: normalized terms, byte for byte. Names that the program makes match any private names of the state, each another one. Nothing runs.",
  body: {
    type: "application/json",
    schema: Type.Object({
      uri: Type.String({ maxLength: 256, description: "URI of the registry." }),
      source: Type.String({ maxLength: maxSourceLength, description: "Rholang program." }),
      block: Type.Optional(
        Type.String({
          default: "finalized",
          description: "`latest`, `finalized`, or a block hash (at least its first 6 digits).",
        }),
      ),
    }),
  },
  answer: {
    description: "Result of the comparison.",
    schema: Type.Object({
      block: namedBlock,
      verdict: Type.Enum(["verified", "different", "undecided", "unreadable", "nothing"], {
        description:
          "`verified`: every receive that waits at the name is one of the program; `different`: one of them is not; `undecided`: they depend on values that only a run shows, or there are too many possibilities; `unreadable`: the program does not compile; `nothing`: no receive waits there.",
      }),
      waiting: int32({ description: "Number of receives that wait at the name." }),
      equal: int32({ description: "Number of those that are receives of the program." }),
    }),
  },
  changes: "always",
  refusals: "problem",
  otherStatuses: [404, 503],
  examples: [
    {
      name: "a contract",
      body: { uri: "rho:registry:lookup", source: "new c in { contract c(@x, return) = { return!(x) } }" },
    },
  ],
});
