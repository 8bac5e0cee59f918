import { type JsonInput, JsonNumber, parseJson } from "@vedette/api";
import { ClientError, type ProblemContent } from "../failure/ClientError.js";
import type { HttpAnswer } from "./HttpAnswer.js";

const longestReason = 200;
const maxMessages = 100;

/**
 * Reads a node's refusal, in each of its forms: the text of rnode, the list of texts of the versioned API,
 * problem+json, and the object of f1r3node.
 *
 * @spec 50 §1.3, §1.10, §10.2
 */
export function refusalOf(call: string, answer: HttpAnswer): ClientError {
  const json = answer.type.includes("json") ? parseJson(answer.text) : undefined;
  return refusalOfJson(call, json, answer) ?? refusalOfStatus(call, answer);
}

/** @returns `undefined` for JSON that has none of the known forms */
function refusalOfJson(
  call: string,
  json: JsonInput | undefined,
  { url, status }: HttpAnswer,
): ClientError | undefined {
  if (json instanceof Map) {
    const [kind, message] = [json.get("error"), json.get("message")];
    if (kind === "endpoint_not_found" || kind === "method_not_allowed")
      return new ClientError({ code: "notOffered", address: url, call });
    if (typeof kind === "string" && typeof message === "string")
      return new ClientError({ code: "refused", call, messages: [message], status, kind });
    const problem = problemOf(json, status);
    return new ClientError({ code: "refused", call, messages: [problem.detail ?? problem.title], status, problem });
  }
  if (typeof json === "string") return new ClientError({ code: "refused", call, messages: [json], status });
  if (!Array.isArray(json)) return undefined;
  const messages = json.slice(0, maxMessages).filter((message): message is string => typeof message === "string");
  return new ClientError({ code: "refused", call, messages, status });
}

function refusalOfStatus(call: string, { url, status, text }: HttpAnswer): ClientError {
  if (status === 404 || status === 501) return new ClientError({ code: "notOffered", address: url, call });
  const reason = shortReason(text);
  if (status === 413) return new ClientError({ code: "tooLarge", address: url, call, reason });
  if (status === 408 || status === 429 || status >= 500)
    return new ClientError({ code: "refused", call, messages: [`Status ${status}: ${reason}`], status });
  return new ClientError({ code: "notUnderstood", address: url, call, reason: `status ${status}: ${reason}` });
}

/** Why `fetch` threw. */
export function unreachable(url: string, error: unknown): ClientError {
  // Node's own fetch reports only "fetch failed" and hides why.
  const innermost = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const code = innermost instanceof Error && "code" in innermost ? String(innermost.code) : "";
  const text = innermost instanceof Error ? innermost.message || code : String(innermost);
  const reason = shortReason(text) || "no reason given";
  return new ClientError({ code: "unreachable", address: url, reason }, { cause: error });
}

function shortReason(text: string): string {
  return text.replace(/\s+/g, " ").trim().slice(0, longestReason);
}

function problemOf(members: ReadonlyMap<string, JsonInput>, status: number): ProblemContent {
  const text = (name: string) => {
    const value = members.get(name);
    return typeof value === "string" ? value : undefined;
  };
  const known = new Set(["type", "title", "status", "detail", "field"]);
  const more: { [name: string]: unknown } = Object.create(null);
  for (const [name, value] of members) if (!known.has(name)) more[name] = plain(value);
  return {
    type: text("type") ?? "about:blank",
    title: text("title") ?? `Status ${status}`,
    status,
    detail: text("detail"),
    field: text("field"),
    more,
  };
}

function plain(value: JsonInput): unknown {
  if (value instanceof JsonNumber) return /^-?\d+$/.test(value.text) ? BigInt(value.text) : Number(value.text);
  if (Array.isArray(value)) return value.map(plain);
  if (!(value instanceof Map)) return value;
  const members: { [name: string]: unknown } = Object.create(null);
  for (const [name, one] of value) members[name] = plain(one);
  return members;
}
