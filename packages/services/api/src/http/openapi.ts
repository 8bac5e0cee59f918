import type { TSchema } from "typebox";
import type { JsonValue } from "../json/printJson.js";
import { headHeader, minBlockHeader, minBlockParameter } from "./headNames.js";
import type { RouteContract, RouteExample } from "./RouteContract.js";
import type { Keywords } from "./readBySchema.js";
import { refusalContent } from "./refusalSchemas.js";

/** The content of a document besides the routes. */
export interface ApiFacts {
  readonly title: string;
  readonly version: string;
  readonly description: string;
}

type Components = Map<string, JsonValue>;
type Members = { readonly [key: string]: JsonValue | undefined };

/**
 * The OpenAPI 3.1 document of routes, made from their contracts.
 *
 * Named schemas appear once, under `components`. A path that only adds a slash is left out.
 */
export function openApiDocument(contracts: readonly RouteContract[], facts: ApiFacts): Members {
  const components: Components = new Map();
  const paths: { [path: string]: { [method: string]: JsonValue } } = {};
  for (const contract of contracts)
    for (const [index, path] of documentedPaths(contract).entries()) {
      paths[path] ??= {};
      paths[path][contract.method.toLowerCase()] = operation(contract, index, components);
    }
  const groups = [...new Set(contracts.map(({ group }) => group))];
  return {
    openapi: "3.1.0",
    info: { ...facts, license: { name: "Apache 2.0", identifier: "Apache-2.0" } },
    servers: [{ url: "/", description: "This node" }],
    security: [],
    tags: groups.map((name) => ({ name, description: groupTexts[name] ?? name })),
    paths,
    components: {
      parameters: minBlockParameters,
      headers: headHeaders,
      schemas: Object.fromEntries([...components].sort(([one], [other]) => (one < other ? -1 : 1))),
    },
  };
}

const minBlockText =
  "Minimum height of the node's newest block. The node waits a few seconds for it, then refuses with status 503.";
const minBlock = { description: minBlockText, schema: { type: "integer", minimum: 0, maximum: 999_999_999_999_999 } };
/** The parameters of every route. @spec 50 §1.16 */
const minBlockParameters = {
  minBlock: { name: minBlockParameter, in: "query", ...minBlock },
  minBlockHeader: { name: minBlockHeader, in: "header", ...minBlock },
};
const headHeaders = {
  [headHeader]: {
    description:
      "Chain head that the answer is based on: height and hash of the newest block, and height of the last finalized block. Absent while the node has no chain.",
    schema: { type: "string", examples: [`1234;hash="${"5c".repeat(32)}";finalized=1230`] },
  },
};
const headReference = { [headHeader]: { $ref: `#/components/headers/${headHeader}` } };

const groupTexts: { readonly [group: string]: string } = {
  Node: "Status, version and health of the node.",
  Blocks: "Blocks and their finality.",
  Deploys: "Submit and find deploys.",
  State: "Run programs on a state, and read data on names.",
  Reports: "Transfers and execution traces of blocks.",
  Versioned: "The versioned API of rnode. Its values and refusals differ from the other routes.",
  Events: "Live events.",
  Accounts: "Deploys, transfers and balances of accounts.",
  Validators: "Validators, stakes and epochs.",
  "States and proofs": "States of any block, with Merkle proofs.",
  "Light clients": "Finality proofs for light clients.",
  Index: "The chain as tables.",
  Operator: "Routes for the node operator.",
  Development: "Control of a `vedette dev` chain.",
};

function documentedPaths({ paths }: RouteContract): string[] {
  return paths.filter((path) => path === "/" || !path.endsWith("/"));
}

function operation(contract: RouteContract, index: number, components: Components): JsonValue {
  const { name, group, summary, description, body, answer } = contract;
  const schemaOf = (schema: TSchema) => plainSchema(schema, components);
  const parameters = [
    ...parametersOf(contract, "path", components),
    ...parametersOf(contract, "query", components),
    ...Object.keys(minBlockParameters).map((key) => ({ $ref: `#/components/parameters/${key}` })),
  ];
  return {
    operationId: index === 0 ? name : `${name}Alias${index === 1 ? "" : index}`,
    tags: [group],
    summary,
    description,
    parameters,
    requestBody: body && { required: true, content: bodyContent(contract, components) },
    responses: {
      200: {
        description: answer.description,
        headers: headReference,
        content: {
          [answer.type ?? "application/json"]: {
            schema: schemaOf(answer.schema),
            ...answerExamples(contract.examples),
          },
        },
      },
      ...otherAnswers(contract, components),
      ...refusals(contract, components),
    },
  };
}

function parametersOf(contract: RouteContract, place: "path" | "query", components: Components): JsonValue[] {
  const schema = (place === "path" ? contract.params : contract.query) as Keywords | undefined;
  return Object.entries(schema?.properties ?? {}).map(([name, inner]) => {
    const { description, ...rest } = plainSchema(inner, components) as {
      description?: JsonValue;
      [key: string]: JsonValue | undefined;
    };
    const values = contract.examples.map((example) => (place === "path" ? example.params : example.query)?.[name]);
    const example = values.find((value) => value !== undefined);
    return {
      name,
      in: place,
      required: place === "path" || (schema?.required ?? []).includes(name),
      description,
      schema: rest as Members,
      example: example === undefined ? undefined : exampleOf(example, inner),
    };
  });
}

function exampleOf(example: string | readonly string[], { type }: Keywords): JsonValue {
  if (typeof example !== "string") return example;
  if (type === "integer" || type === "number") return Number(example);
  return type === "boolean" ? example === "true" : type === "array" ? [example] : example;
}

function bodyContent({ body, examples }: RouteContract, components: Components): JsonValue {
  if (body === undefined) return {};
  const { type, schema, otherForm } = body;
  const isJsonText = ({ body: example }: RouteExample) => typeof example === "string" && example.startsWith("{");
  const first = otherForm === undefined ? examples : examples.filter((example) => !isJsonText(example));
  const content = { [type]: { schema: plainSchema(schema, components), ...bodyExamples(first, (value) => value) } };
  if (otherForm === undefined) return content;
  const others = bodyExamples(examples.filter(isJsonText), (value) => JSON.parse(String(value)));
  return { ...content, [otherForm.type]: { schema: plainSchema(otherForm.schema, components), ...others } };
}

function bodyExamples(examples: readonly RouteExample[], shown: (value: JsonValue) => JsonValue): Members {
  const given = examples.flatMap(({ name, body }) =>
    body === undefined ? [] : [[keyOf(name), { summary: name, value: shown(body) }]],
  );
  return given.length === 0 ? {} : { examples: Object.fromEntries(given) };
}

function answerExamples(examples: readonly RouteExample[]): Members {
  const given = examples.flatMap(({ name, answer }) =>
    answer === undefined ? [] : [[keyOf(name), { summary: name, value: answer }]],
  );
  return given.length === 0 ? {} : { examples: Object.fromEntries(given) };
}

function otherAnswers({ otherAnswers: others = {} }: RouteContract, components: Components): Members {
  const shown = Object.entries(others).map(([status, { description, type = "application/json", schema }]) => [
    status,
    { description, content: { [type]: { schema: plainSchema(schema, components) } } },
  ]);
  return Object.fromEntries(shown);
}

/** Names of components may have letters, digits, dots and dashes. */
function keyOf(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9]+/g, "-");
}

function refusals({ refusals: form, otherStatuses = [] }: RouteContract, components: Components): Members {
  const content = refusalContent(form, (schema) => plainSchema(schema, components));
  const entries = [...new Set([400, 429, 503, ...otherStatuses])].map((status) => [
    status,
    {
      description: refusalStatuses[status] ?? "The request was refused.",
      headers: passing.has(status) ? retryAfter : undefined,
      content,
    },
  ]);
  return Object.fromEntries(entries);
}

/** The meaning of each status of refusals. @spec 50 §1.3, §1.10 */
export const refusalStatuses: { readonly [status: number]: string } = {
  400: "The request is invalid or cannot be answered; the body has the reason.",
  404: "The requested object is unknown.",
  409: "The request conflicts with the current state of the node.",
  410: "The requested data was deleted.",
  413: "The request is too large.",
  422: "The program failed; the body has the reason.",
  429: "Too many requests from one address.",
  500: "The request failed; the body has the reason.",
  503: "The node cannot answer now: it is overloaded, has no chain yet, or is below the requested height.",
  504: "The program exceeded its time or memory limit.",
};

/** Refusals after which the same request can be sent again. */
const passing: ReadonlySet<number> = new Set([429, 503]);
const retryAfter = {
  "Retry-After": { description: "Seconds until the client may retry.", schema: { type: "integer" } },
};

/** A schema as documents show it: named ones by reference. */
function plainSchema(schema: Keywords | TSchema, components: Components): Members {
  const { title } = schema as Keywords;
  if (title === undefined) return plainMembers(schema, components);
  if (!components.has(title)) {
    components.set(title, {});
    components.set(title, plainMembers(schema, components));
  }
  return { $ref: componentPath(title) };
}

function plainMembers(schema: object, components: Components): Members {
  const members: { [key: string]: JsonValue } = {};
  for (const [key, value] of Object.entries(schema)) {
    if (key.startsWith("~") || value === undefined) continue;
    members[key] = key === "$ref" ? componentPath(String(value)) : plainValue(value, components);
  }
  return members;
}

function plainValue(value: unknown, components: Components): JsonValue {
  if (Array.isArray(value)) return value.map((item) => plainValue(item, components));
  if (typeof value !== "object" || value === null) return value as JsonValue;
  return isNamed(value) ? plainSchema(value as Keywords, components) : plainMembers(value, components);
}

/** A member that is called `title` is a schema, not a name. */
function isNamed(value: object): boolean {
  return typeof (value as Keywords).title === "string";
}

function componentPath(name: string): string {
  return `#/components/schemas/${name}`;
}
