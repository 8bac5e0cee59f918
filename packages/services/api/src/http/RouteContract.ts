import type { Static, TSchema } from "typebox";
import type { JsonValue } from "../json/printJson.js";

/**
 * How a route refuses: `text` as rnode, status 400 and a JSON string; `texts` as its versioned API, an array
 * of texts; `problem` as ours, `application/problem+json` (RFC 9457); `kind` as f1r3node, an object with a
 * word for programs and a sentence for people.
 *
 * @spec 50 §1.3, §1.10, §1.14
 */
export type RefusalForm = "text" | "texts" | "problem" | "kind";

/**
 * Whether an answer can become another one: `never` for the same request; `withChain` when blocks are added or
 * finalized; `always` at any time.
 */
export type AnswerChanges = "never" | "withChain" | "always";

/** The content of a request beside its path. */
export interface BodyContract<Body extends TSchema = TSchema> {
  /**
   * Nothing looks at the type that a request names, but for JSON on f1r3node networks (50 §10.2); texts are
   * taken as they are, without looking into them.
   */
  readonly type: "application/json" | "text/plain";
  readonly schema: Body;
  /** Another form that a text may have, for the description only. */
  readonly otherForm?: { readonly type: "application/json"; readonly schema: TSchema };
}

/** The content of a successful answer (status 200). */
export interface AnswerContract<Answer extends TSchema = TSchema> {
  readonly description: string;
  readonly type?: "application/json" | "text/plain" | "text/event-stream" | "application/octet-stream";
  readonly schema: Answer;
}

/** A request that can be sent unchanged, with its answer if `answer` is given. */
export interface RouteExample {
  readonly name: string;
  readonly params?: { readonly [name: string]: string };
  readonly query?: { readonly [name: string]: string | readonly string[] };
  /** A text is sent as it is where the body is text, otherwise as a JSON string. */
  readonly body?: JsonValue;
  readonly answer?: JsonValue;
}

/**
 * One route of the HTTP API. The server that answers it, the OpenAPI document, the tests of its examples and the client
 * read the same object.
 *
 * @spec 50 §1
 */
export interface RouteContract<
  Params extends TSchema = TSchema,
  Query extends TSchema = TSchema,
  Body extends TSchema = TSchema,
  Answer extends TSchema = TSchema,
> {
  /** Unique name, as a client calls it: `exploreDeploy`. */
  readonly name: string;
  readonly method: "GET" | "POST";
  /** Its paths, with parameters in braces (`/block/{hash}`); documents describe the first one. */
  readonly paths: readonly [string, ...string[]];
  /** Heading under which it is described. */
  readonly group: string;
  readonly summary: string;
  readonly description?: string;
  /** An object with the path's parameters. */
  readonly params?: Params;
  /** An object with the parameters after the question mark. */
  readonly query?: Query;
  readonly body?: BodyContract<Body>;
  readonly answer: AnswerContract<Answer>;
  readonly changes: AnswerChanges;
  readonly refusals: RefusalForm;
  /** Statuses of refusals beside 400 and 429; 503 if requests may exceed the node's time. */
  readonly otherStatuses?: readonly number[];
  /** Answers of another status that are no refusals. */
  readonly otherAnswers?: { readonly [status: number]: AnswerContract };
  readonly examples: readonly RouteExample[];
}

/** The parameters, the query and the body of a request, read by its contract. */
export interface RouteInput<Params extends TSchema, Query extends TSchema, Body extends TSchema> {
  readonly params: Static<Params>;
  readonly query: Static<Query>;
  readonly body: Static<Body>;
}

/** Keeps the types of a contract's schemas. */
export function defineRoute<
  Params extends TSchema = TSchema,
  Query extends TSchema = TSchema,
  Body extends TSchema = TSchema,
  Answer extends TSchema = TSchema,
>(contract: RouteContract<Params, Query, Body, Answer>): RouteContract<Params, Query, Body, Answer> {
  return contract;
}
