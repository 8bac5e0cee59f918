import * as Type from "typebox";
import { deployFact } from "./deployFacts.js";
import { exampleChain } from "./exampleChain.js";
import { defineRoute } from "./RouteContract.js";
import { amount64, hexBytes, int32, int64, named, orNull } from "./scalars.js";

const group = "Accounts";

/** The maximum of a page, and its default. */
const limit = { most: 200, usual: 50 } as const;
/** Most addresses in one request for balances. */
const maxBalances = 1_000;

const blockStatus = Type.Enum(["finalized", "pending", "forkedAway"], {
  description:
    "`finalized`: final; `pending`: may still become final, or lies below the blocks that this node began with, so that it cannot know; `forkedAway`: can never become final.",
});

/** The outcome of a deploy. @spec 40 §12.5, 61 §13.8 */
const deployStatus = Type.Enum(
  ["pending", "included", "failedSoFar", "rejected", "forkedAway", "refused", "finalized", "failed", "expired"],
  {
    description:
      "Status of the deploy. These never change: `finalized`: its effects are in the final state; `failed`: it failed in a final block and no other block can execute it; `expired`: its effects are not in the final state and no block can add them. These can change: `pending`: it waits in the pool of this node, or for its repetition after a merge rejected it, or it is in no block and not yet expired; `included`: in a block that may become final; `failedSoFar`: it failed in a final block; `rejected`: in a final block, but a merge rejected it, so the state has none of its effects; `forkedAway`: only in blocks that can never become final; `refused`: this node could not execute it and does not retry (`reason`).",
  },
);

/** A block, and what became of it. @spec 50 §1.13 */
export const placedBlock = named(
  "PlacedBlock",
  Type.Object({ blockHash: hexBytes(32), blockNumber: int64(), status: blockStatus }),
);

const indexFacts = named(
  "AccountIndex",
  Type.Object(
    {
      isComplete: Type.Boolean({
        description: "True if the index has every block of the chain with its transfers.",
      }),
      blocks: Type.Integer({ description: "Number of blocks in the index." }),
      total: Type.Integer({ description: "Number of blocks on this node." }),
      blocksSince: int64({
        description: "Lowest height of the blocks on this node; 0 is genesis.",
      }),
      transfersSince: int64({
        description:
          "Lowest height from which all transfers are known. Above 0 on a node that started from the state of a later block.",
      }),
    },
    { description: "Part of the chain that the answer covers." },
  ),
);

const deployFacts = {
  deployId: hexBytes(undefined, "Signature of the deploy."),
  deployer: hexBytes(undefined, "Public key of the deployer."),
  address: orNull(Type.String({ description: "Vault address of the deployer." })),
  sigAlgorithm: Type.String(),
  timestamp: int64({ description: "Unix time in milliseconds." }),
  phloPrice: amount64({ description: "Price of one phlo, in the smallest unit." }),
  phloLimit: amount64({ description: "Maximum phlo of the deploy." }),
  validAfterBlockNumber: int64(),
};
const rejectedBy = orNull(
  hexBytes(
    32,
    "Hash of the block with the merge that rejected the deploy, so the final state has none of its effects. Null for blocks that are not final.",
  ),
);
const outcome = {
  cost: amount64({ description: "Cost in phlo." }),
  errored: Type.Boolean(),
  systemDeployError: Type.String({ description: "Reason why the deployer could not pay; otherwise empty." }),
  rejectedBy,
};

const fault = named(
  "DeployFault",
  Type.Object(
    {
      class: Type.String({ description: "Error class, as named by rnode." }),
      text: Type.String(),
      line: orNull(Type.Integer({ description: "Line in the program, from 1; null if the error has no position." })),
      column: orNull(Type.Integer()),
    },
    { description: "Error that ended the program." },
  ),
);
const print = named(
  "DeployPrint",
  Type.Object(
    { stream: Type.Enum(["stdout", "stderr"]), text: Type.String() },
    { description: "Output of the program to `rho:io:stdout`, `rho:io:stderr` or their Ack variants." },
  ),
);
const note = {
  errors: orNull(
    Type.Array(fault, {
      description:
        "Errors of the program; empty if it succeeded. Null from the fifth block on, and for a block that this node cannot replay now.",
    }),
  ),
  prints: orNull(
    Type.Array(print, {
      description: "Output of the program, also if it failed later. Null in the same cases as `errors`.",
    }),
  ),
  isNoteCut: Type.Boolean({ description: "True if errors or output exceeded the limits and were cut." }),
};

const effects = named(
  "DeployEffects",
  Type.Object(
    {
      transfers: orNull(
        Type.Array(
          Type.Object({
            from: Type.String(),
            to: Type.String(),
            amount: amount64({ description: "Amount in the smallest unit." }),
            isSuccessful: Type.Boolean(),
            failReason: orNull(Type.String()),
          }),
          { description: "Transfers, including those made by contracts. Null if the node cannot determine them now." },
        ),
      ),
      names: orNull(
        Type.Array(
          Type.Object({
            name: Type.String({ description: 'The name as written in the program, like `@"hello"`.' }),
            channelHash: hexBytes(32, "Hash of the name, as in event logs."),
            writes: Type.Integer({ description: "Number of values that the deploy sent to the name." }),
            reads: Type.Integer({
              description: "Number of receives from the name, including peeks and receives that still wait.",
            }),
          }),
          {
            description:
              "Public names that the deploy wrote or read: those that its program contains as text, number or boolean, 200 at most. Empty if it failed. Null if no block has it.",
          },
        ),
      ),
    },
    { description: "Effects of the deploy in the block that decides its status." },
  ),
);

const briefSummary = Type.Array(deployFact, {
  description:
    "Effects of the deploy in the block that decides its status, as in `/v2/deploy/{id}`. Transfers by contracts appear only if they use the deployer's vault; failures have no reason. Null if the request needs too much work; repeat it.",
});

const page = {
  limit: Type.Optional(int32({ minimum: 1, maximum: limit.most, default: limit.usual })),
  after: Type.Optional(
    Type.String({ maxLength: 100, description: "Value of `next` on the previous page; omit it for the first page." }),
  ),
  forks: Type.Optional(Type.Boolean({ default: false, description: "Include blocks that can never become final." })),
};
const next = orNull(Type.String({ description: "Value of `after` for the next page; null on the last page." }));
const address = Type.String({ maxLength: 100, description: "Address of a vault." });

/** `GET /v2/deploys?deployer=…` or `?address=…`. @spec 50 §1.13 */
export const deploysRoute = defineRoute({
  name: "deploys",
  method: "GET",
  paths: ["/v2/deploys"],
  group,
  summary: "Returns the deploys of a key, newest first.",
  description:
    "Identify the deployer by `deployer` or by `address`. The list has one entry per deploy and block. A page may be short and still have a `next`.",
  query: Type.Object({
    deployer: Type.Optional(Type.String({ maxLength: 130, description: "Public key in hex." })),
    address: Type.Optional(address),
    ...page,
    summaries: Type.Optional(
      Type.Boolean({
        default: false,
        description: "Add a summary of its effects to each deploy. The node then reads the block of each deploy.",
      }),
    ),
  }),
  answer: {
    description: "Page of deploys without their programs.",
    schema: Type.Object({
      deploys: Type.Array(
        Type.Object({ ...deployFacts, ...outcome, block: placedBlock, summary: Type.Optional(orNull(briefSummary)) }),
      ),
      next,
      index: indexFacts,
    }),
  },
  changes: "withChain",
  refusals: "problem",
  otherStatuses: [503],
  examples: [{ name: "of a key", query: { deployer: exampleChain.publicKey, limit: "5" } }],
});

/** `GET /v2/transfers?address=…`. @spec 50 §1.13 */
export const transfersRoute = defineRoute({
  name: "transfers",
  method: "GET",
  paths: ["/v2/transfers"],
  group,
  summary: "Returns the transfers from and to a vault, newest first.",
  description:
    "The list includes failed transfers: refused, undone by an error of the deploy, or rejected by a merge. For them `isSuccessful` is false. Deploy costs are not included; see `/v2/deploys`.",
  query: Type.Object({ address, ...page }),
  answer: {
    description: "Page of transfers.",
    schema: Type.Object({
      transfers: Type.Array(
        Type.Object({
          kind: Type.Enum(["deploy", "genesis", "closeBlock", "slash"], { description: "Cause of the transfer." }),
          from: Type.String(),
          to: Type.String(),
          amount: amount64({ description: "Amount in the smallest unit." }),
          isSuccessful: Type.Boolean(),
          failReason: orNull(Type.String()),
          deployId: orNull(hexBytes()),
          deployer: orNull(hexBytes()),
          rejectedBy,
          index: int32({ description: "Position among the transfers of the block." }),
          block: placedBlock,
        }),
      ),
      next,
      index: indexFacts,
    }),
  },
  changes: "withChain",
  refusals: "problem",
  otherStatuses: [503],
  examples: [
    { name: "of a vault", query: { address: "11112XQXMFMsncUo58BXjncucQ1i679zFJutMiDSGcTDXNNn12RHqN", limit: "5" } },
  ],
});

/** `GET /v2/deploy/{id}`. @spec 50 §1.13 */
export const deployStatusRoute = defineRoute({
  name: "deployStatus",
  method: "GET",
  paths: ["/v2/deploy/{id}"],
  group,
  summary: "Returns a deploy and its status.",
  params: Type.Object({ id: Type.String({ maxLength: 400, description: "Signature of the deploy, in hex." }) }),
  answer: {
    description: "Deploy with all blocks that contain it; the block that decides its status comes first.",
    schema: Type.Object({
      status: deployStatus,
      reason: Type.Optional(Type.String({ description: "Reason why the node does not retry the deploy." })),
      deploy: Type.Object({ ...deployFacts, term: Type.String(), shardId: Type.String() }),
      summary: Type.Optional(
        Type.Array(deployFact, {
          description:
            "Effects of the deploy in the block that decides its status: first the recorded effects, then those requested by the program. Absent on earlier versions of the node.",
        }),
      ),
      effects: Type.Optional(effects),
      blocks: Type.Array(Type.Object({ block: placedBlock, ...outcome, ...note })),
    }),
  },
  changes: "withChain",
  refusals: "problem",
  otherStatuses: [404],
  examples: [{ name: "a deploy", params: { id: exampleChain.deployId } }],
});

/** Most deploys in one request for their status. */
const maxStatuses = 50;

/** `POST /v2/deploy-statuses`. @spec 50 §1.13 */
export const deployStatusesRoute = defineRoute({
  name: "deployStatuses",
  method: "POST",
  paths: ["/v2/deploy-statuses"],
  group,
  summary: `Returns the statuses of up to ${maxStatuses} deploys.`,
  body: {
    type: "application/json",
    schema: Type.Object({
      deployIds: Type.Array(Type.String({ maxLength: 400, description: "Signature of a deploy, in hex." }), {
        minItems: 1,
        maxItems: maxStatuses,
      }),
      summaries: Type.Optional(
        Type.Boolean({
          default: false,
          description: "Add a summary of its effects to each deploy, and when it was signed.",
        }),
      ),
    }),
  },
  answer: {
    description: "Status of each deploy, in request order; null for unknown deploys.",
    schema: Type.Object({
      statuses: Type.Array(orNull(deployStatus)),
      summaries: Type.Optional(
        Type.Array(orNull(briefSummary), { description: "Summaries in request order, if requested." }),
      ),
      timestamps: Type.Optional(
        Type.Array(orNull(int64()), { description: "Unix times in milliseconds, with the summaries." }),
      ),
    }),
  },
  changes: "withChain",
  refusals: "problem",
  otherStatuses: [503],
  examples: [
    { name: "a deploy", body: { deployIds: [exampleChain.deployId] } },
    { name: "with what it did", body: { deployIds: [exampleChain.deployId], summaries: true } },
  ],
});

/** `POST /v2/balances`. @spec 50 §1.13 */
export const balancesRoute = defineRoute({
  name: "balances",
  method: "POST",
  paths: ["/v2/balances"],
  group,
  summary: `Returns the balances of up to ${maxBalances} vaults at a block.`,
  body: {
    type: "application/json",
    schema: Type.Object({
      addresses: Type.Array(address, { minItems: 1, maxItems: maxBalances }),
      block: Type.Optional(
        Type.String({
          default: "finalized",
          description:
            "`latest` (the block that most of the stake builds on), `finalized`, or a block hash (at least its first 6 digits).",
        }),
      ),
    }),
  },
  answer: {
    description: "Balance of each address, in request order; 0 if it has no vault.",
    schema: Type.Object({
      block: Type.Object({ blockHash: hexBytes(32), blockNumber: int64() }),
      root: hexBytes(32, "State root that was read."),
      balances: Type.Array(
        Type.Object({ address, balance: amount64({ description: "Amount in the smallest unit." }) }),
      ),
    }),
  },
  changes: "always",
  refusals: "problem",
  otherStatuses: [404, 503],
  examples: [
    {
      name: "a vault",
      body: { addresses: ["11112brKu2ej8aNjeHbUGgJ8Ma67WghgxSUPtC9aR1MKkjpSixztRL"] },
    },
  ],
});
