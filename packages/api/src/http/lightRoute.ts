import * as Type from "typebox";
import { exampleChain } from "./exampleChain.js";
import { defineRoute } from "./RouteContract.js";
import { hexBytes, int32, int64, orNull } from "./scalars.js";

const placed = Type.Object({ blockHash: hexBytes(32), blockNumber: int64() });

/** `GET /v2/light/update?trusted=…`. @spec 70 §9 */
export const lightUpdateRoute = defineRoute({
  name: "lightUpdate",
  method: "GET",
  paths: ["/v2/light/update"],
  group: "Light clients",
  summary: "Blocks that show, to a client that trusts one block and no server, that a newer block is final.",
  description:
    "The client checks the signatures and the rule of finality itself (`@vedette/light`). The newest block that can be shown in one step comes; `target` is null where none can, as on networks of one parent whose validators do not build on each other.",
  query: Type.Object({
    trusted: hexBytes(32, "Hash of the block that the client trusts."),
    thresholdPpm: Type.Optional(
      int32({
        minimum: 0,
        maximum: 1_000_000,
        description:
          "Fault tolerance that the client asks for, in parts of a million; left out: the node's `casper.fault-tolerance-threshold`.",
      }),
    ),
  }),
  answer: {
    description: "The update.",
    schema: Type.Object({
      trusted: placed,
      target: orNull(placed),
      blocks: Type.Array(Type.String({ description: "A BlockMessageProto, in hex." })),
    }),
  },
  changes: "withChain",
  refusals: "problem",
  otherStatuses: [404, 503],
  examples: [{ name: "from a block", query: { trusted: exampleChain.earlierBlockHash } }],
});
