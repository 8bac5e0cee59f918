import {
  amountNames,
  JsonFloat,
  JsonHex,
  type JsonOf,
  type JsonValue,
  minBlockParameter,
  printJson,
  type RouteContract,
  type RouteInput,
  readParameters,
  SchemaError,
  type Static,
  type TSchema,
} from "@vedette/api";
import { FairQueue, mapToApiError, Problem, printLarge } from "@vedette/queries";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { contentTypeOf } from "./bodyText.js";
import { JsonText } from "./JsonText.js";
import { readJsonBody, readReferenceBody } from "./requestBody.js";
import { sendAnswer } from "./sendAnswer.js";
import { whileConnected } from "./whileConnected.js";

declare module "fastify" {
  interface FastifyInstance {
    /** The routes that are served or described here. */
    contracts: RouteContract[];
  }
  interface FastifyContextConfig {
    contract?: RouteContract;
  }
}

/** The context of a handler beside the request's values, with the client whose turn its queries take. */
export interface RequestContext {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  /** Its address. */
  readonly client: string;
  /** Aborts when the client goes away. */
  readonly signal: AbortSignal;
}

/**
 * The answer of a handler: a value of the contract's shape, or JSON that was printed already. `undefined`: the route is
 * not there for such a request (404).
 */
export type RouteAnswer<Schema extends TSchema> = JsonOf<Static<Schema>> | JsonText | undefined;

/** Answers a request with values that fit the contract, as the contract defines. @throws {ApiError} {Problem} */
export type Handler<
  Params extends TSchema,
  Query extends TSchema,
  Body extends TSchema,
  Schema extends TSchema = TSchema,
> = (
  input: RouteInput<Params, Query, Body>,
  context: RequestContext,
) => RouteAnswer<Schema> | Promise<RouteAnswer<Schema>>;

/**
 * Serves a route by its contract: values are read by its schemas, refusals have its form, answers are marked with their
 * cache lifetime.
 *
 * Routes of rnode know no refusal of a path's or a query's parameter: they are not there then (404).
 *
 * @spec 50 §1.1, §1.3
 */
export function serve<Params extends TSchema, Query extends TSchema, Body extends TSchema, Schema extends TSchema>(
  server: FastifyInstance,
  contract: RouteContract<Params, Query, Body, Schema>,
  handler: Handler<Params, Query, Body, NoInfer<Schema>>,
): void {
  describeRoute(server, contract);
  const read = takesNothing(contract) ? readNothing : readers[contract.refusals];
  const amounts = amountNames(contract.answer.schema);
  const sendLater = async (made: ReturnType<typeof handler>, context: RequestContext): Promise<unknown> => {
    const answer = await made;
    const { request, reply } = context;
    if (answer === undefined) return reply.callNotFound();
    const text = await printed(contract, answer as JsonValue | JsonText, amounts, context);
    return sendAnswer(contract, request, reply, text);
  };
  for (const path of contract.paths)
    server.route({
      method: contract.method,
      url: path.replaceAll(/\{(\w+)\}/g, ":$1"),
      config: { contract: contract as RouteContract },
      // A ready answer is sent without a turn of promises.
      handler: (request, reply) => {
        let input: RouteInput<Params, Query, Body>;
        try {
          input = read(contract, request);
        } catch (error) {
          if (!(error instanceof SchemaError)) throw error;
          reply.callNotFound();
          return undefined;
        }
        const context = new HandledRequest(request, reply);
        const answer = handler(input, context);
        if (!(answer instanceof JsonText)) return sendLater(answer, context);
        sendAnswer(contract, request, reply, answer);
        return undefined;
      },
    });
}

/** Puts a route into the API's description that is served in another way, such as events. */
export function describeRoute<Params extends TSchema, Query extends TSchema, Body extends TSchema>(
  server: FastifyInstance,
  contract: RouteContract<Params, Query, Body>,
): void {
  server.contracts.push(contract as RouteContract);
}

/** Returns the contracts of all routes of a server. @param server the server with registered routes */
export function contractsOf(server: FastifyInstance): readonly RouteContract[] {
  return server.contracts;
}

/** How requests are read, by the form of their refusals. */
const readers = { text: readReference, texts: readReference, problem: readOurs, kind: readF1r3node } as const;

/** Reads the parts of a request as f1r3node does: what does not fit is refused, what is more is ignored. @throws {Problem} @spec 50 §10.2 */
function readF1r3node<Params extends TSchema, Query extends TSchema, Body extends TSchema>(
  { params, query, body }: RouteContract<Params, Query, Body>,
  request: FastifyRequest,
): RouteInput<Params, Query, Body> {
  const part = <T>(name: keyof typeof partKinds, read: () => T): T => {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof SchemaError)) throw error;
      const field = error.field === "" ? name : `${name}.${error.field}`;
      throw new Problem(`${field} ${error.message}.`, { kind: partKinds[name], field, cause: error });
    }
  };
  return {
    params: part("params", () => parametersOf(params, request.params, "ignore")),
    query: part("query", () => parametersOf(query, request.query, "ignore")),
    body: part("body", () => {
      if (body === undefined) return undefined as Static<Body>;
      if (body.type === "text/plain") return request.body ?? "";
      requireJsonType(request);
      return readJsonBody(body.schema, request.body, "ignore");
    }) as Static<Body>,
  };
}

/** @throws {Problem} 415 @spec 50 §10.2 */
function requireJsonType(request: FastifyRequest): void {
  if (!request.server.conventions.wantsJsonType(request.url)) return;
  const [type = ""] = (contentTypeOf(request) ?? "").toLowerCase().split(";", 1);
  if (/^application\/([^/\s]+\+)?json$/.test(type.trim())) return;
  const text = "The body must be called what it is: Content-Type: application/json.";
  throw new Problem(text, { status: 415, kind: partKinds.body, field: "body" });
}

const partKinds = {
  params: "invalid_path_parameter",
  query: "invalid_query_parameter",
  body: "invalid_request_body",
} as const;

/** Reads the parts of a request by the contract of one of Vedette's own routes. @throws {Problem} with the field */
export function readOurs<Params extends TSchema, Query extends TSchema, Body extends TSchema>(
  contract: RouteContract<Params, Query, Body>,
  request: FastifyRequest,
): RouteInput<Params, Query, Body> {
  const part = <T>(name: "params" | "query" | "body", read: () => T): T => {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof SchemaError)) throw error;
      const field = error.field === "" ? name : `${name}.${error.field}`;
      throw new Problem(`${field} ${error.message}.`, { field, cause: error });
    }
  };
  const { params, query, body } = contract;
  return {
    params: part("params", () => parametersOf(params, request.params, "refuse")),
    query: part("query", () =>
      parametersOf(query ?? (noParameters as unknown as Query), withoutMinBlock(request.query), "refuse"),
    ),
    body: part("body", () => {
      if (body === undefined) return undefined as Static<Body>;
      return body.type === "text/plain" ? request.body : readJsonBody(body.schema, request.body, "refuse");
    }) as Static<Body>,
  };
}

/** That one is on every route, and was read before. */
function withoutMinBlock(query: unknown): unknown {
  const { [minBlockParameter]: _minBlock, ...others } = (query ?? {}) as Readonly<Record<string, unknown>>;
  return others;
}

const noParameters = { type: "object", properties: {} };

function readReference<Params extends TSchema, Query extends TSchema, Body extends TSchema>(
  { params, query, body }: RouteContract<Params, Query, Body>,
  request: FastifyRequest,
): RouteInput<Params, Query, Body> {
  const read = {
    params: parametersOf(params, request.params, "ignore"),
    query: parametersOf(query, request.query, "ignore"),
  };
  if (body === undefined) return { ...read, body: undefined as Static<Body> };
  if (body.type === "text/plain") return { ...read, body: (request.body ?? "") as Static<Body> };
  return { ...read, body: readReferenceBody(body.schema, request.body) };
}

/** Whether no part of a request matters to its answer, nor to whether there is one. */
function takesNothing({ params, query, body, refusals }: RouteContract<TSchema, TSchema, TSchema>): boolean {
  return params === undefined && query === undefined && body === undefined && refusals !== "problem";
}

const nothing = { params: {}, query: {}, body: undefined };

function readNothing<Params extends TSchema, Query extends TSchema, Body extends TSchema>(): RouteInput<
  Params,
  Query,
  Body
> {
  return nothing as RouteInput<Params, Query, Body>;
}

function parametersOf<T extends TSchema>(schema: T | undefined, given: unknown, extra: "ignore" | "refuse"): Static<T> {
  return schema === undefined
    ? ({} as Static<T>)
    : readParameters(schema, (given ?? {}) as Record<string, unknown>, extra);
}

async function printed(
  { answer: { type } }: RouteContract<TSchema, TSchema, TSchema>,
  answer: JsonValue | JsonText,
  amounts: ReadonlySet<string>,
  context: RequestContext,
): Promise<JsonText> {
  if (answer instanceof JsonText) return answer;
  if (type === "text/plain" && typeof answer === "string") return new JsonText(answer);
  const bytes = textUnits(answer);
  if (bytes <= maxTextUnits) return new JsonText(printJson(answer, amounts));
  const print = () => printLarge(answer, amounts);
  const { client, signal } = context;
  return new JsonText(await mapToApiError(printing.run({ client, signal, bytes }, print)));
}

/** An answer whose texts have more UTF-16 units together, or bytes, is printed in slices: JSON may be six times as long. */
const maxTextUnits = 1 << 18;
/** Answers with long texts are printed one at a time, in turns by client. @spec 50 §1.12 */
const printing = new FairQueue({
  ...{ running: 1, ofOneClient: 16, waiting: 64 },
  ...{ waitingBytes: 64 << 20, longestWaitMs: 60_000 },
});

/** Counts the units of all texts of an answer, such as programs of other users. */
function textUnits(value: JsonValue | undefined): number {
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null || value instanceof JsonFloat) return 0;
  if (value instanceof JsonHex) return value.bytes.length;
  return Object.values(value).reduce<number>((sum, member) => sum + textUnits(member), 0);
}

/**
 * The context of a request; the signal is made on its first use. A class: a getter in an object's own literal would
 * give each object a shape of its own, which lies among old objects and holds the request until all garbage is collected.
 */
class HandledRequest implements RequestContext {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  #signal: AbortSignal | undefined;

  constructor(request: FastifyRequest, reply: FastifyReply) {
    this.request = request;
    this.reply = reply;
  }

  get client(): string {
    return this.request.ip;
  }

  get signal(): AbortSignal {
    return (this.#signal ??= whileConnected(this.reply));
  }
}
