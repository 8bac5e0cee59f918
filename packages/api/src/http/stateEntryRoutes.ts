import type { TProperties } from "typebox";
import * as Type from "typebox";
import { exampleChain } from "./exampleChain.js";
import { defineRoute, type RouteExample } from "./RouteContract.js";
import { rhoExpr } from "./rhoValues.js";
import { hexBytes, int32, int64, named, orNull } from "./scalars.js";

const group = "States and proofs";

/** A term, told in several ways. @spec 30 §10.4 */
export const reportedTermSchema = named(
  "Term",
  Type.Object({
    expr: orNull(rhoExpr),
    rholang: orNull(Type.String({ description: "For people; null where it is too large to be printed." })),
    bytes: Type.Optional(hexBytes(undefined, "The canonical bytes of its protobuf message.")),
  }),
);

/** A block that was named, or found. */
export const namedBlock = named(
  "NamedBlock",
  Type.Object({ blockHash: hexBytes(32), blockNumber: int64(), state: Type.Enum(["post", "pre"]) }),
);

const proof = named(
  "StateProof",
  Type.Object(
    {
      format: Type.Enum(["vedette-state-proof/1", "vedette-state-proof-rust/1"]),
      root: hexBytes(32),
      kind: Type.Enum(["data", "continuations", "joins"]),
      channels: Type.Array(hexBytes()),
      nodes: Type.Array(hexBytes()),
      leaf: orNull(hexBytes()),
      block: Type.Optional(Type.Object({ hash: hexBytes(32), state: Type.Enum(["post", "pre"]), content: hexBytes() })),
    },
    {
      description:
        "Shows what the state holds below the names, or that it holds nothing there, to whoever trusts the root or the block's hash: `vedette verify-proof`, or `verifyStateProof` of `@vedette/client/proof`.",
    },
  ),
);

const rootParameter = Type.Object({
  root: Type.String({
    description:
      "`latest` (the state after the block that most of the stake builds on), `finalized`, the hash of a block, of which six digits do, or a state root: 64 hexadecimal digits.",
  }),
});

const which = Type.Enum(["post", "pre"], {
  default: "post",
  description: "The state after the block, or the one before it.",
});
const flags = {
  state: Type.Optional(which),
  bytes: Type.Optional(Type.Boolean({ default: false, description: "Whether terms are told as bytes too." })),
  proof: Type.Optional(Type.Boolean({ default: false, description: "Whether a Merkle proof is wanted." })),
  anchor: Type.Optional(
    Type.Enum(["root", "block"], {
      default: "root",
      description: "Where the proof begins: at the state root, or at the hash of the block, with all that it covers.",
    }),
  ),
  limit: Type.Optional(
    int32({ minimum: 0, maximum: 1_000, default: 100, description: "Entries to tell; all are counted." }),
  ),
};

const quotedText = Type.String({
  maxLength: 65_536,
  description: 'The process that is quoted, as Rholang: `"x"` for the name `@"x"`. It is not evaluated.',
});
const parHex = hexBytes(undefined, "The bytes of a Par's protobuf message.");
const privateHex = hexBytes(undefined, "An unforgeable name's bytes.");
const deployIdHex = hexBytes(undefined, "A deploy's signature: the name `rho:rchain:deployId` in it.");
const deployerIdHex = hexBytes(undefined, "A public key: the name `rho:rchain:deployerId` of its deploys.");
const uriText = Type.String({
  maxLength: 256,
  description: "A URI: the name that this state's registry has there, or that of a built-in process.",
});

const vaultText = Type.String({
  maxLength: 128,
  description: "An address: the name that its balance lies on, where the network's vaults were made by Vedette.",
});

const maxNames = 16;

const listed = <T extends typeof quotedText>(one: T) => Type.Optional(Type.Array(one, { maxItems: maxNames }));

/** One name in each way in which it can be given. */
const nameQuery = {
  name: listed(quotedText),
  par: listed(parHex),
  private: listed(privateHex),
  deployId: listed(deployIdHex),
  deployerId: listed(deployerIdHex),
  uri: listed(uriText),
  vault: listed(vaultText),
};

/** A name in a body: an object with one member. @spec 30 §10.4 */
const nameGiven = named(
  "NameGiven",
  Type.Union(
    [
      { name: quotedText },
      { par: parHex },
      { private: privateHex },
      { deployId: deployIdHex },
      { deployerId: deployerIdHex },
      { uri: uriText },
      { vault: vaultText },
    ].map((member: TProperties) => Type.Object(member, { additionalProperties: false })),
  ),
);

const nameList = Type.Array(nameGiven, { minItems: 1, maxItems: maxNames });

const datum = Type.Object({ values: Type.Array(reportedTermSchema), isPersistent: Type.Boolean() });
const continuation = Type.Object({
  binds: Type.Array(Type.Object({ patterns: Type.Array(reportedTermSchema), hasRemainder: Type.Boolean() })),
  body: orNull(reportedTermSchema),
  isPersistent: Type.Boolean(),
  peeks: Type.Array(int32()),
});
const join = Type.Object({ names: Type.Array(reportedTermSchema) });

const kinds = {
  data: { entry: datum, title: "StateData", what: "What was sent to a name and not received yet" },
  continuations: {
    entry: continuation,
    title: "StateContinuations",
    what: "What waits on a name, or on several names together (all of one receive, in any order)",
  },
  joins: { entry: join, title: "StateJoins", what: "With which names together somebody waits on a name" },
} as const;

type Kind = keyof typeof kinds;

const answerOf = (kind: Kind) => ({
  description: "What the state holds below the names.",
  schema: named(
    kinds[kind].title,
    Type.Object({
      root: hexBytes(32, "The state root."),
      block: orNull(namedBlock),
      names: Type.Array(reportedTermSchema),
      entries: Type.Array(kinds[kind].entry),
      count: int32({ description: "Of all entries, told or not." }),
      proof: Type.Optional(proof),
    }),
  ),
});

const examplesOf = (kind: Kind): readonly RouteExample[] => [
  { name: "a name of text", params: { root: "finalized" }, query: { name: '"a name"' } },
  {
    name: "with a proof from a block's hash",
    params: { root: exampleChain.blockHash },
    query:
      kind === "continuations"
        ? { uri: "rho:rchain:asiVault", proof: "true", anchor: "block", limit: "1" }
        : { deployId: exampleChain.deployId, proof: "true", anchor: "block" },
  },
];

function getRoute(kind: Kind) {
  return defineRoute({
    name: `state${kind[0]!.toUpperCase()}${kind.slice(1)}`,
    method: "GET",
    paths: [`/v2/state/{root}/${kind}`],
    group,
    summary: `${kinds[kind].what}, in any state.`,
    description:
      "The name is given by exactly one of name, par, private, deployId, deployerId, uri, vault; for continuations they may come several times.",
    params: rootParameter,
    query: Type.Object({ ...nameQuery, ...flags }),
    answer: answerOf(kind),
    changes: "withChain",
    refusals: "problem",
    otherStatuses: [404, 503],
    examples: examplesOf(kind),
  });
}

function postRoute(kind: Kind) {
  return defineRoute({
    name: `askState${kind[0]!.toUpperCase()}${kind.slice(1)}`,
    method: "POST",
    paths: [`/v2/state/{root}/${kind}`],
    group,
    summary: `${kinds[kind].what}, in any state; for names that are too long for a path.`,
    params: rootParameter,
    body: { type: "application/json", schema: Type.Object({ names: nameList, ...flags }) },
    answer: answerOf(kind),
    changes: "always",
    refusals: "problem",
    otherStatuses: [404, 503],
    examples: [{ name: "a name of text", params: { root: "latest" }, body: { names: [{ name: '"a name"' }] } }],
  });
}

/** `GET /v2/state/{root}/data`, `…/continuations`, `…/joins`. @spec 30 §10.4 */
export const stateRoutes = {
  data: getRoute("data"),
  continuations: getRoute("continuations"),
  joins: getRoute("joins"),
} as const;

/** `POST /v2/state/{root}/data`, `…/continuations`, `…/joins`. @spec 30 §10.4 */
export const queryStateRoutes = {
  data: postRoute("data"),
  continuations: postRoute("continuations"),
  joins: postRoute("joins"),
} as const;

/** Most pieces that one request may name. */
const maxPieces = 256;

/** `POST /v2/state-pieces`. @spec 30 §10.4 */
export const statePiecesRoute = defineRoute({
  name: "statePieces",
  method: "POST",
  paths: ["/v2/state-pieces"],
  group,
  summary: "Nodes and leaves of state trees, by their hashes.",
  description:
    "For who begins from a state without fetching all of it (`vedette dev --fork`): whoever knows a root finds the rest step by step, and checks each piece by its hash (Blake2b-256). Where they are large, there are fewer than were asked for: ask for the rest again.",
  body: {
    type: "application/json",
    schema: Type.Object({ hashes: Type.Array(hexBytes(32), { minItems: 1, maxItems: maxPieces }) }),
  },
  answer: {
    description: "The pieces in the order of the hashes; null for one that is not here.",
    schema: Type.Object({ pieces: Type.Array(orNull(hexBytes())) }),
  },
  changes: "always",
  refusals: "problem",
  otherStatuses: [503],
  examples: [{ name: "one that is not there", body: { hashes: ["00".repeat(32)] }, answer: { pieces: [null] } }],
});
