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
  summary: "Returns blocks that prove to a client with one trusted block that a newer block is final.",
  description:
    "The client verifies the signatures and the finality rule itself (`@vedette/light`). `target` is the newest block that one step can prove. It is null if no block can be proved, for example on single-parent networks whose validators do not build on each other.",
  query: Type.Object({
    trusted: hexBytes(32, "Hash of the trusted block."),
    thresholdPpm: Type.Optional(
      int32({
        minimum: 0,
        maximum: 1_000_000,
        description:
          "Required fault tolerance in parts per million (default: `casper.fault-tolerance-threshold` of the node).",
      }),
    ),
  }),
  answer: {
    description: "Trusted block, proved block and the blocks of the proof.",
    schema: Type.Object({
      trusted: placed,
      target: orNull(placed),
      blocks: Type.Array(Type.String({ description: "Protobuf message `BlockMessageProto`, in hex." })),
    }),
  },
  changes: "withChain",
  refusals: "problem",
  otherStatuses: [404, 503],
  examples: [{ name: "from a block", query: { trusted: exampleChain.earlierBlockHash } }],
});
