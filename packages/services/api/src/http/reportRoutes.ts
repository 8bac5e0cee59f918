import * as Type from "typebox";
import { exampleChain } from "./exampleChain.js";
import { defineRoute } from "./RouteContract.js";
import { hexBytes, int64, named, orNull } from "./scalars.js";
import { lightBlockInfo } from "./values.js";

const group = "Reports";

const kindOfTransaction = named(
  "TransactionType",
  Type.Union([
    ...["PreCharge", "UserDeploy", "Refund"].map((kind) =>
      Type.Object({ [kind]: Type.Object({ deployId: hexBytes() }) }),
    ),
    ...["CloseBlock", "SlashingDeploy"].map((kind) => Type.Object({ [kind]: Type.Object({ blockHash: hexBytes() }) })),
  ]),
);

/** `GET /transactions/{hash}`. @spec 50 §1.9 */
export const transactionsRoute = defineRoute({
  name: "transactions",
  method: "GET",
  paths: ["/api/transactions/{hash}", "/transactions/{hash}"],
  group,
  summary: "Returns the transfers between vaults in a block.",
  description: "The list is empty unless `api-server.enable-reporting` is set.",
  params: Type.Object({ hash: Type.String({ description: "Block hash in hex." }) }),
  answer: {
    description: "Transfers in block order.",
    schema: Type.Object({
      data: Type.Array(
        Type.Object({
          transaction: Type.Object({
            fromAddr: Type.String(),
            toAddr: Type.String(),
            amount: int64(),
            retUnforgeable: Type.Unknown({ description: "Unforgeable name of the return channel, as a process." }),
            failReason: orNull(Type.String()),
          }),
          transactionType: kindOfTransaction,
        }),
      ),
    }),
  },
  changes: "withChain",
  refusals: "text",
  otherStatuses: [503],
  examples: [{ name: "a block", params: { hash: exampleChain.blockHash } }],
});

const blockReport = Type.Object({
  report: Type.Object({
    "block-info": lightBlockInfo,
    deploys: Type.Array(Type.Unknown()),
    "system-deploys": Type.Array(Type.Unknown()),
    "post-state-hash": hexBytes(),
  }),
  type: Type.Literal("block-traces-report"),
});
const noReport = Type.Object({ "error-message": Type.String(), type: Type.Literal("block-report-error") });

/** `GET /api/trace?blockHash=…&forceReplay=…`: always status 200. @spec 50 §2.2 */
export const traceRoute = defineRoute({
  name: "trace",
  method: "GET",
  paths: ["/api/trace"],
  group,
  summary: "Returns every produce, consume and COMM of a block.",
  query: Type.Object({
    blockHash: Type.String({ description: "Block hash in hex." }),
    forceReplay: Type.Optional(Type.Boolean({ description: "Create the report again by replaying the block." })),
  }),
  answer: {
    description: "The report, or an error message. The HTTP status is 200 in both cases.",
    schema: Type.Union([blockReport, noReport]),
  },
  changes: "always",
  refusals: "text",
  otherStatuses: [503],
  examples: [{ name: "a block", query: { blockHash: exampleChain.blockHash, forceReplay: "false" } }],
});

/** The same route on the public port, where it has two paths. @spec 50 §1.4, §2.2 */
export const publicTraceRoute = defineRoute({ ...traceRoute, paths: ["/api/trace", "/reporting/trace"] });
