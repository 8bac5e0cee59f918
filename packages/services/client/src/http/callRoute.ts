import type { Static, TSchema } from "@vedette/api";
import { type JsonValue, parseJson, printJson, type RouteContract, readBySchema, SchemaError } from "@vedette/api";
import { ClientError } from "../failure/ClientError.js";
import type { HttpAnswer } from "./HttpAnswer.js";
import type { CallOptions, HttpConnection } from "./HttpConnection.js";

/** The arguments of a route. */
export interface RouteArguments<Params extends TSchema, Query extends TSchema, Body extends TSchema> {
  readonly params?: Static<Params>;
  readonly query?: Static<Query>;
  readonly body?: Static<Body>;
}

/**
 * Calls any route by its contract. The methods of {@link HttpClient} do so for theirs; a page that needs only a few
 * calls this, and has nothing else in its bundle.
 *
 * @spec 50 §1
 * @param isRepeatable whether a request may be sent twice; default: all but proposals
 * @param isWrite whether later calls must see the effects of this one
 * @throws {ClientError}
 */
export async function callRoute<
  Params extends TSchema,
  Query extends TSchema,
  Body extends TSchema,
  Answer extends TSchema,
>(
  http: HttpConnection,
  route: RouteContract<Params, Query, Body, Answer>,
  given: RouteArguments<Params, Query, Body> = {},
  options: CallOptions & { readonly isRepeatable?: boolean; readonly isWrite?: boolean } = {},
): Promise<Static<Answer>> {
  const { name: call, method, body: contract } = route;
  const isRepeatable = options.isRepeatable ?? !/propose/i.test(call);
  const path = pathOf(call, route.paths[0], members(given.params)) + queryOf(members(given.query));
  const body = contract === undefined ? undefined : bodyOf(contract.type, given.body);
  const request = { call, method, path, isRepeatable, isWrite: options.isWrite, body };
  return readByContract(call, route.answer, await http.ask(request, options));
}

function readByContract<Answer extends TSchema>(
  call: string,
  { type, schema }: { readonly type?: string; readonly schema: Answer },
  answer: HttpAnswer,
): Static<Answer> {
  const notUnderstood = (reason: string) =>
    new ClientError({ code: "notUnderstood", address: answer.url, call, reason });
  const json = type === "text/plain" ? answer.text : parseJson(answer.text);
  if (json === undefined) throw notUnderstood("the answer is no JSON, or is nested too deeply");
  try {
    return readBySchema(schema, json, "ignore");
  } catch (error) {
    if (!(error instanceof SchemaError)) throw error;
    throw notUnderstood(`${error.field || "the answer"} ${error.message}`);
  }
}

type Members = { readonly [name: string]: unknown };

function members(value: unknown): Members {
  return (value ?? {}) as Members;
}

function pathOf(call: string, template: string, params: Members): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const text = String(params[name] ?? "");
    // A URL would lose these, and be that of another route.
    if (text === "" || text === "." || text === "..")
      throw new ClientError({ code: "badArgument", call, argument: name, reason: `may not be "${text}"` });
    return encodeURIComponent(text);
  });
}

function queryOf(query: Members): string {
  const all = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    const values: readonly unknown[] = Array.isArray(value) ? value : [value];
    for (const one of values) if (one !== undefined) all.append(name, String(one));
  }
  const text = all.toString();
  return text === "" ? "" : `?${text}`;
}

function bodyOf(type: string, body: unknown): { readonly type: string; readonly text: string } {
  return { type, text: type === "text/plain" ? String(body) : printJson(body as JsonValue) };
}
