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
  summary: "The transfers between vaults in a block.",
  description: "Empty on a node that does not report (api-server.enable-reporting).",
  params: Type.Object({ hash: Type.String({ description: "Of the block, in hex." }) }),
  answer: {
    description: "Transfers in the block's order.",
    schema: Type.Object({
      data: Type.Array(
        Type.Object({
          transaction: Type.Object({
            fromAddr: Type.String(),
            toAddr: Type.String(),
            amount: int64(),
            retUnforgeable: Type.Unknown({ description: "The name that the answer was sent on, as a process." }),
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
  summary: "Every produce, consume and communication of a block.",
  query: Type.Object({
    blockHash: Type.String({ description: "In hex." }),
    forceReplay: Type.Optional(Type.Boolean({ description: "Makes the report anew." })),
  }),
  answer: {
    description: "The report, or why there is none: the status is 200 either way.",
    schema: Type.Union([blockReport, noReport]),
  },
  changes: "always",
  refusals: "text",
  otherStatuses: [503],
  examples: [{ name: "a block", query: { blockHash: exampleChain.blockHash, forceReplay: "false" } }],
});

/** The same route on the public port, where it stands twice. @spec 50 §1.4, §2.2 */
export const publicTraceRoute = defineRoute({ ...traceRoute, paths: ["/api/trace", "/reporting/trace"] });
