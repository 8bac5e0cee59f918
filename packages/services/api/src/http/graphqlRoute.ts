import * as Type from "typebox";
import { defineRoute } from "./RouteContract.js";
import { orNull } from "./scalars.js";

/** Longest document that is read, in characters. @spec 60 §5 */
export const longestGraphqlDocument = 100_000;

/** `POST /graphql`, and where the ecosystem's explorer looks for it. @spec 60 §4 */
export const graphqlRoute = defineRoute({
  name: "graphql",
  method: "POST",
  paths: ["/graphql", "/v1/graphql"],
  group: "Index",
  summary:
    "Returns the result of a GraphQL query about blocks, deploys, transfers, balances, validators and statistics.",
  description:
    "Requires an index (`index.enabled`). Names follow Hasura for the tables of the ecosystem's indexer. A WebSocket with the protocol `graphql-transport-ws` on the same path also offers subscriptions.",
  body: {
    type: "application/json",
    schema: Type.Object({
      query: Type.String({ maxLength: longestGraphqlDocument, description: "GraphQL document." }),
      operationName: Type.Optional(orNull(Type.String())),
      variables: Type.Optional(Type.Unknown({ description: "Object with the value of each variable." })),
    }),
  },
  answer: {
    description: "Object with `data`, `errors`, or both.",
    schema: Type.Object({
      data: Type.Optional(Type.Unknown()),
      errors: Type.Optional(Type.Array(Type.Object({ message: Type.String() }))),
    }),
  },
  changes: "always",
  refusals: "problem",
  otherStatuses: [503],
  examples: [
    {
      name: "latest blocks",
      body: { query: "{ blocks(limit: 2, order_by: {block_number: desc}) { block_number block_hash } }" },
    },
  ],
});
