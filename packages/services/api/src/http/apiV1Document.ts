import type { JsonValue } from "../json/printJson.js";

type Members = { readonly [key: string]: JsonValue | undefined };

/**
 * The description of the versioned API as rnode gives it: OpenAPI 3.0, in its order, with two routes that it
 * describes and does not have.
 *
 * @spec 50 §1.10, §2
 * @param isAdmin of the operator's server, which has one route more
 */
export function apiV1Document(isAdmin: boolean): Members {
  return {
    openapi: "3.0.0",
    info: { title: isAdmin ? "RNode API (admin)" : "RNode API", version: "1.0" },
    paths: isAdmin ? { ...paths, "/propose": { post: operation({ type: "string" }) } } : paths,
    components: { schemas, securitySchemes: {} },
  };
}

const refTo = (name: string): Members => ({ $ref: `#/components/schemas/${name}` });
const jsonOf = (schema: Members): Members => ({ "application/json": { schema } });
const text: Members = { type: "string" };

interface OperationParts {
  readonly description?: string;
  readonly parameters?: readonly Members[];
  readonly body?: Members;
}

function operation(answer: Members, { description, parameters, body }: OperationParts = {}): Members {
  const errors = (who: string) => ({ description: `${who} error`, content: jsonOf(refTo("endpoints.Errors")) });
  return {
    // rnode has 200 last, which an object cannot: keys that are whole numbers are in ascending order.
    responses: { 200: { description: "", content: jsonOf(answer) }, 400: errors("Client"), 500: errors("Server") },
    description,
    parameters,
    requestBody: body && { content: jsonOf(body) },
  };
}

const paths: Members = {
  "/data-at-name-by-block-hash": {
    post: operation(refTo("RhoDataResponse"), { body: refTo("DataAtNameByBlockHashRequest") }),
  },
  "/explore-deploy-by-block-hash": {
    post: operation(refTo("RhoDataResponse"), {
      description: "Exploratory deploy",
      body: refTo("ExploreDeployRequest"),
    }),
  },
  "/explore-deploy": {
    post: operation(refTo("RhoDataResponse"), {
      description: "Exploratory deploy on last finalized state",
      body: text,
    }),
  },
  "/status": { get: operation(refTo("ApiStatus"), { description: "API status data" }) },
  "/blocks": { get: operation({ type: "array", items: refTo("LightBlockInfo") }) },
  "/block/{hash}": {
    get: operation(refTo("BlockInfo"), {
      parameters: [{ name: "hash", in: "path", schema: text, description: "Hex encoded string", required: true }],
    }),
  },
  "/deploy": { post: operation(text, { body: refTo("DeployRequest") }) },
};

/** Kinds of fields by the words that the table below uses. */
function schemaOf(kind: string): Members {
  if (kind.startsWith("[]")) return { type: "array", items: schemaOf(kind.slice(2)) };
  switch (kind) {
    case "text":
      return text;
    case "flag":
      return { type: "boolean" };
    case "int32":
    case "int64":
      return { type: "integer", format: kind };
    case "float":
      return { type: "number", format: kind };
    default:
      return refTo(kind);
  }
}

/** @param fields `name:kind`, separated by spaces; a `?` after the name makes it optional */
function objectOf(fields: string): Members {
  const entries = fields.split(" ").map((field) => field.split(":") as [string, string]);
  const required = entries.map(([name]) => name).filter((name) => !name.endsWith("?"));
  return {
    type: "object",
    properties: Object.fromEntries(entries.map(([name, kind]) => [name.replace("?", ""), schemaOf(kind)])),
    required: required.length === 0 ? undefined : required,
  };
}

const kindName = (kind: string) => `coop.rchain.node.api.WebApi.${kind}`;

/** One case of a union, identified by its member `type`. */
function caseOf(kind: string, data?: Members): readonly [string, Members] {
  const type = { type: "string", enum: [kind], example: kind };
  const properties = data === undefined ? { type } : { type, data };
  return [kindName(kind), { type: "object", properties, required: Object.keys(properties) }];
}

function unionOf(kinds: readonly string[], description?: string): Members {
  const target = (kind: string) => `#/components/schemas/${kindName(kind)}`;
  return {
    oneOf: kinds.map((kind) => refTo(kindName(kind))),
    discriminator: {
      propertyName: "type",
      mapping: Object.fromEntries(kinds.map((kind) => [kind, target(kind)])),
    },
    description,
  };
}

const exprKinds = ["Bool", "Bytes", "Int", "List", "Map", "Nil", "Par", "Set", "String", "Tuple", "Unforg", "Uri"];
const expressions = schemaOf("[]RhoExprRef");

const schemas: Members = Object.fromEntries<Members>([
  ["VersionInfo", objectOf("api:text node:text")],
  [
    "RhoExpr",
    unionOf(
      exprKinds.map((kind) => `Expr${kind}`),
      "Rholang expression (Par type)",
    ),
  ],
  caseOf("ExprNil"),
  caseOf("ExprPar", expressions),
  caseOf("ExprBytes", text),
  ["BondInfo", objectOf("validator?:text stake?:int64")],
  ["RhoUnforg", unionOf(["UnforgDeploy", "UnforgDeployer", "UnforgPrivate"])],
  caseOf("ExprSet", expressions),
  caseOf("UnforgDeployer", text),
  caseOf("UnforgDeploy", text),
  caseOf("ExprList", expressions),
  caseOf("ExprBool", schemaOf("flag")),
  ["DataAtNameByBlockHashRequest", objectOf("name:RhoUnforg blockHash:text usePreStateHash:flag")],
  [
    "LightBlockInfo",
    objectOf(
      "blockHash?:text sender?:text seqNum?:int64 sig?:text sigAlgorithm?:text shardId?:text extraBytes?:text " +
        "version?:int64 timestamp?:int64 headerExtraBytes?:text parentsHashList?:[]text blockNumber?:int64 " +
        "preStateHash?:text postStateHash?:text bodyExtraBytes?:text bonds?:[]BondInfo blockSize?:text " +
        "deployCount?:int32 faultTolerance?:float justifications?:[]JustificationInfo " +
        "rejectedDeploys?:[]RejectedDeployInfo",
    ),
  ],
  ["ExploreDeployRequest", objectOf("term:text blockHash:text usePreStateHash:flag")],
  ["RejectedDeployInfo", objectOf("sig?:text")],
  [
    "DeployData",
    objectOf("term:text timestamp:int64 phloPrice:int64 phloLimit:int64 validAfterBlockNumber:int64 shardId:text"),
  ],
  caseOf("ExprUnforg", refTo("RhoUnforg")),
  [
    "DeployInfo",
    objectOf(
      "deployer?:text term?:text timestamp?:int64 sig?:text sigAlgorithm?:text phloPrice?:int64 phloLimit?:int64 " +
        "validAfterBlockNumber?:int64 cost?:int64 errored?:flag systemDeployError?:text",
    ),
  ],
  caseOf("ExprInt", schemaOf("int64")),
  caseOf("UnforgPrivate", text),
  ["JustificationInfo", objectOf("validator?:text latestBlockHash?:text")],
  ["DeployRequest", objectOf("data:DeployData deployer:text signature:text sigAlgorithm:text")],
  ["RhoDataResponse", objectOf("expr:[]RhoExprRef block:LightBlockInfo")],
  caseOf("ExprUri", text),
  [
    "PeerInfoData",
    objectOf("address:text nodeId:text host:text protocolPort:int32 discoveryPort:int32 isConnected:flag"),
  ],
  caseOf("ExprTuple", expressions),
  ["BlockInfo", objectOf("blockInfo?:LightBlockInfo deploys?:[]DeployInfo")],
  caseOf("ExprMap", { type: "object", properties: {}, additionalProperties: refTo("RhoExprRef") }),
  ["endpoints.Errors", { type: "array", items: text }],
  ["RhoExprRef", refTo("RhoExpr")],
  caseOf("ExprString", text),
  [
    "ApiStatus",
    objectOf(
      "version:VersionInfo address:text networkId:text shardId:text peers:int32 nodes:int32 minPhloPrice:int64 " +
        "peerList?:[]PeerInfoData",
    ),
  ],
]);
