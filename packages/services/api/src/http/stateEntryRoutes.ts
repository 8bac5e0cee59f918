import type { TProperties } from "typebox";
import * as Type from "typebox";
import { exampleChain } from "./exampleChain.js";
import { defineRoute, type RouteExample } from "./RouteContract.js";
import { rhoExpr } from "./rhoValues.js";
import { hexBytes, int32, int64, named, orNull } from "./scalars.js";

const group = "States and proofs";

/** A term, rendered in several forms. @spec 30 §10.4 */
export const renderedTermSchema = named(
  "Term",
  Type.Object({
    expr: orNull(rhoExpr),
    rholang: orNull(Type.String({ description: "Rholang text; null if it is too large to print." })),
    bytes: Type.Optional(hexBytes(undefined, "Canonical bytes of the protobuf message `Par`.")),
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
        "Proves the entries at the names, or their absence, for a trusted state root or block hash. Verify it with `vedette verify-proof` or `verifyStateProof` of `@vedette/client/proof`.",
    },
  ),
);

const rootParameter = Type.Object({
  root: Type.String({
    description:
      "`latest` (the block that most of the stake builds on), `finalized`, a block hash (at least its first 6 digits), or a state root (64 hex digits).",
  }),
});

const which = Type.Enum(["post", "pre"], {
  default: "post",
  description: "State after (`post`) or before (`pre`) the block.",
});
const flags = {
  state: Type.Optional(which),
  bytes: Type.Optional(Type.Boolean({ default: false, description: "Add the bytes of each term." })),
  proof: Type.Optional(Type.Boolean({ default: false, description: "Add a Merkle proof." })),
  anchor: Type.Optional(
    Type.Enum(["root", "block"], {
      default: "root",
      description:
        "Start of the proof: the state root, or the block hash. With `block` the proof includes the hashed content of the block.",
    }),
  ),
  limit: Type.Optional(
    int32({ minimum: 0, maximum: 1_000, default: 100, description: "Maximum number of entries; `count` has all." }),
  ),
};

const quotedText = Type.String({
  maxLength: 65_536,
  description: 'Quoted process, as Rholang: `"x"` for the name `@"x"`. It is not evaluated.',
});
const parHex = hexBytes(undefined, "Bytes of a protobuf message `Par`.");
const privateHex = hexBytes(undefined, "Bytes of an unforgeable name.");
const deployIdHex = hexBytes(undefined, "Signature of a deploy, for its name `rho:rchain:deployId`.");
const deployerIdHex = hexBytes(
  undefined,
  "Public key of a deployer, for the name `rho:rchain:deployerId` in its deploys.",
);
const uriText = Type.String({
  maxLength: 256,
  description: "URI of the registry of this state, or of a built-in process.",
});

const vaultText = Type.String({
  maxLength: 128,
  description:
    "Address of a vault, for the name that stores its balance. Works only if Vedette created the vault contracts of the network.",
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

const datum = Type.Object({ values: Type.Array(renderedTermSchema), isPersistent: Type.Boolean() });
const continuation = Type.Object({
  binds: Type.Array(Type.Object({ patterns: Type.Array(renderedTermSchema), hasRemainder: Type.Boolean() })),
  body: orNull(renderedTermSchema),
  isPersistent: Type.Boolean(),
  peeks: Type.Array(int32()),
  hasGuard: Type.Optional(Type.Boolean({ description: "True if the receive has a guard; absent otherwise." })),
});
const join = Type.Object({ names: Type.Array(renderedTermSchema) });

const kinds = {
  data: { entry: datum, title: "StateData", what: "Returns the data sent to a name and not yet received" },
  continuations: {
    entry: continuation,
    title: "StateContinuations",
    what: "Returns the continuations that wait on a name, or on all names of one receive in any order",
  },
  joins: {
    entry: join,
    title: "StateJoins",
    what: "Returns the joins of a name: the groups of names on which receives wait",
  },
} as const;

type Kind = keyof typeof kinds;

const answerOf = (kind: Kind) => ({
  description: "Entries of the state at the names.",
  schema: named(
    kinds[kind].title,
    Type.Object({
      root: hexBytes(32, "Root of the state that was read."),
      block: orNull(namedBlock),
      names: Type.Array(renderedTermSchema),
      entries: Type.Array(kinds[kind].entry),
      count: int32({ description: "Number of all entries, also beyond `limit`." }),
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
      "Give the name by exactly one of `name`, `par`, `private`, `deployId`, `deployerId`, `uri`, `vault`. For continuations these may be repeated.",
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
    summary: `${kinds[kind].what}, in any state. Use it for names that are too long for a URL.`,
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
export const maxPieces = 256;

/** `POST /v2/state-pieces`. @spec 30 §10.4 */
export const statePiecesRoute = defineRoute({
  name: "statePieces",
  method: "POST",
  paths: ["/v2/state-pieces"],
  group,
  summary: "Returns nodes and leaves of state tries by their hashes.",
  description:
    "Clients can load a state step by step from its root, as `vedette dev --fork` does. They verify each piece by its Blake2b-256 hash. Large pieces shorten the list; request the remaining hashes again.",
  body: {
    type: "application/json",
    schema: Type.Object({ hashes: Type.Array(hexBytes(32), { minItems: 1, maxItems: maxPieces }) }),
  },
  answer: {
    description: "Pieces in request order; null for unknown hashes.",
    schema: Type.Object({ pieces: Type.Array(orNull(hexBytes())) }),
  },
  changes: "always",
  refusals: "problem",
  otherStatuses: [503],
  examples: [{ name: "one that is not there", body: { hashes: ["00".repeat(32)] }, answer: { pieces: [null] } }],
});
