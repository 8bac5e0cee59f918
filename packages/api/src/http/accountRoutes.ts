import * as Type from "typebox";
import { deployFact } from "./deployFacts.js";
import { exampleChain } from "./exampleChain.js";
import { defineRoute } from "./RouteContract.js";
import { amount64, hexBytes, int32, int64, named, orNull } from "./scalars.js";

const group = "Accounts";

/** Most that a page may have, and what it has when nothing is said. */
const limit = { most: 200, usual: 50 } as const;
/** Most addresses whose balances are told at once. */
const maxBalances = 1_000;

const blockStatus = Type.Enum(["finalized", "pending", "forkedAway"], {
  description: "`pending`: nothing is decided yet; `forkedAway`: it will never be final.",
});

/** What became of a deploy. @spec 40 §12.5, 61 §13.8 */
const deployFate = Type.Enum(
  ["pending", "included", "failedSoFar", "rejected", "forkedAway", "refused", "finalized", "failed", "expired"],
  {
    description:
      "For good: `finalized`: what it did is in the final state; `failed`: it failed in a final block; `expired`: it did not come into the final state; these two are told when no block can bring it any more. Until then: `pending`: it waits in this node's pool, or a merge gave it up and it comes again by itself, or no block has it and that is not decided yet; `included`: in a block that may become final; `failedSoFar`: it failed in a final block; `rejected`: in a final block, but a merge of parents gave it up, so that nothing of it is in the state; `forkedAway`: only in blocks that will never be final; `refused`: this node could not execute it, and tries it no more (`reason`).",
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
        description: "Whether nothing is missing: every block of the chain is in the index, with what it moved.",
      }),
      blocks: Type.Integer({ description: "Blocks that are in the index." }),
      total: Type.Integer({ description: "Blocks that this node has." }),
      blocksSince: int64({
        description: "The height from which on this node has blocks; 0: from genesis on.",
      }),
      transfersSince: int64({
        description:
          "The height from which on all transfers are known: a node that began with the state of a later block does not know those before.",
      }),
    },
    { description: "How much of the chain the answer is made from." },
  ),
);

const deployFacts = {
  deployId: hexBytes(undefined, "The deploy's signature."),
  deployer: hexBytes(undefined, "Public key."),
  address: orNull(Type.String({ description: "The deployer's vault." })),
  sigAlgorithm: Type.String(),
  timestamp: int64({ description: "Milliseconds since 1970." }),
  phloPrice: amount64({ description: "In the smallest unit, of one phlo." }),
  phloLimit: amount64({ description: "Most phlo that may be used." }),
  validAfterBlockNumber: int64(),
};
const rejectedBy = orNull(
  hexBytes(
    32,
    "The block whose merge of its parents gave the deploy up, so that nothing of it is in the final state. Told of final blocks only.",
  ),
);
const outcome = {
  cost: amount64({ description: "Phlo." }),
  errored: Type.Boolean(),
  systemDeployError: Type.String({ description: "Why it could not pay; empty where it could." }),
  rejectedBy,
};

const fault = named(
  "DeployFault",
  Type.Object(
    {
      class: Type.String({ description: "The reference's name of the error." }),
      text: Type.String(),
      line: orNull(Type.Integer({ description: "Where in the program, from 1; null where the error does not tell." })),
      column: orNull(Type.Integer()),
    },
    { description: "One of the errors that a program ended with." },
  ),
);
const print = named(
  "DeployPrint",
  Type.Object(
    { stream: Type.Enum(["stdout", "stderr"]), text: Type.String() },
    { description: "What a program wrote to `rho:io:stdout`, `rho:io:stderr` or their Ack forms." },
  ),
);
const note = {
  errors: orNull(
    Type.Array(fault, {
      description:
        "Why the program failed; empty where it did not. Null where it cannot be told: of the fifth block on, and of one that cannot be replayed here, or not now.",
    }),
  ),
  prints: orNull(
    Type.Array(print, { description: "What it wrote, also where it failed afterwards. Null as `errors`." }),
  ),
  isNoteCut: Type.Boolean({ description: "Whether there were more errors or prints, or longer ones, than are kept." }),
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
            amount: amount64({ description: "In the smallest unit." }),
            isSuccessful: Type.Boolean(),
            failReason: orNull(Type.String()),
          }),
          { description: "Also those that contracts made. Null: nobody has looked, or it cannot be found out now." },
        ),
      ),
    },
    { description: "What it did in the block that counts." },
  ),
);

const briefSummary = Type.Array(deployFact, {
  description:
    "What it did in the block that counts, as `/v2/deploy/{id}` tells it, made from what is at hand: of what contracts moved only what its own vault gave or took, and no reason why a program failed. Null: too much had to be looked into at once; ask again.",
});

const page = {
  limit: Type.Optional(int32({ minimum: 1, maximum: limit.most, default: limit.usual })),
  after: Type.Optional(
    Type.String({ maxLength: 100, description: "`next` of the page before; left out for the latest." }),
  ),
  forks: Type.Optional(
    Type.Boolean({ default: false, description: "Whether blocks that were forked away are told too." }),
  ),
};
const next = orNull(Type.String({ description: "`after` of the next page; null on the last one." }));
const address = Type.String({ maxLength: 100, description: "A vault's address." });

/** `GET /v2/deploys?deployer=…` or `?address=…`. @spec 50 §1.13 */
export const deploysRoute = defineRoute({
  name: "deploys",
  method: "GET",
  paths: ["/v2/deploys"],
  group,
  summary: "The deploys of a key, the latest first.",
  description:
    "Name the deployer by the public key or by its address. A deploy stands once for every block that has it.",
  query: Type.Object({
    deployer: Type.Optional(Type.String({ maxLength: 130, description: "A public key, in hex." })),
    address: Type.Optional(address),
    ...page,
    summaries: Type.Optional(
      Type.Boolean({ default: false, description: "Whether each deploy says what it did; costs a read of its block." }),
    ),
  }),
  answer: {
    description: "A page of deploys, without their programs.",
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
  summary: "The transfers from and to a vault, the latest first.",
  description:
    "Also those that were refused or lost again, by an error of the deploy or because a merge gave the deploy up: `isSuccessful` is false then. What deploys cost is not among them; it stands with the deploys (`/v2/deploys`).",
  query: Type.Object({ address, ...page }),
  answer: {
    description: "A page of transfers.",
    schema: Type.Object({
      transfers: Type.Array(
        Type.Object({
          kind: Type.Enum(["deploy", "genesis", "closeBlock", "slash"], { description: "By what it was moved." }),
          from: Type.String(),
          to: Type.String(),
          amount: amount64({ description: "In the smallest unit." }),
          isSuccessful: Type.Boolean(),
          failReason: orNull(Type.String()),
          deployId: orNull(hexBytes()),
          deployer: orNull(hexBytes()),
          rejectedBy,
          index: int32({ description: "Among the block's transfers." }),
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
  summary: "A deploy, and what has become of it.",
  params: Type.Object({ id: Type.String({ maxLength: 400, description: "The deploy's signature, in hex." }) }),
  answer: {
    description: "The deploy with every block that has it, the one that counts first.",
    schema: Type.Object({
      status: deployFate,
      reason: Type.Optional(Type.String({ description: "Why the node tries the deploy no more." })),
      deploy: Type.Object({ ...deployFacts, term: Type.String(), shardId: Type.String() }),
      summary: Type.Optional(
        Type.Array(deployFact, {
          description:
            "What it did in the block that counts: what the node knows of, then what its program asks for. Nodes of earlier versions leave it out.",
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

/** Most deploys whose fates are told at once. */
const maxStatuses = 50;

/** `POST /v2/deploy-statuses`. @spec 50 §1.13 */
export const deployFatesRoute = defineRoute({
  name: "deployFates",
  method: "POST",
  paths: ["/v2/deploy-statuses"],
  group,
  summary: "What has become of many deploys.",
  body: {
    type: "application/json",
    schema: Type.Object({
      deployIds: Type.Array(Type.String({ maxLength: 400, description: "A deploy's signature, in hex." }), {
        minItems: 1,
        maxItems: maxStatuses,
      }),
      summaries: Type.Optional(
        Type.Boolean({ default: false, description: "Whether it also says what each deploy did." }),
      ),
    }),
  },
  answer: {
    description: "A status for each deploy, in the same order; null for one that this node does not know.",
    schema: Type.Object({
      statuses: Type.Array(orNull(deployFate)),
      summaries: Type.Optional(
        Type.Array(orNull(briefSummary), { description: "In the same order, where they were asked for." }),
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
  summary: "The balances of many vaults at once, at any block.",
  body: {
    type: "application/json",
    schema: Type.Object({
      addresses: Type.Array(address, { minItems: 1, maxItems: maxBalances }),
      block: Type.Optional(
        Type.String({
          default: "finalized",
          description:
            "`latest` (the block that most of the stake builds on), `finalized`, or the hash of a block, of which six digits do.",
        }),
      ),
    }),
  },
  answer: {
    description: "A balance for each address, in the same order; 0 for one that has no vault.",
    schema: Type.Object({
      block: Type.Object({ blockHash: hexBytes(32), blockNumber: int64() }),
      root: hexBytes(32, "The state root."),
      balances: Type.Array(Type.Object({ address, balance: amount64({ description: "In the smallest unit." }) })),
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
