import { type JsonInput, parseJson, sqlRoute } from "@vedette/api";
import { CommandError } from "../client/CommandError.js";

/** A question to the tables of a node. */
export interface SqlQueryOptions {
  /** The URL of the operator's HTTP API. */
  readonly url: string;
  readonly query: string;
  readonly format: "json" | "csv" | "ndjson";
  readonly rows: number;
  readonly timeoutMs: number;
}

/** Rows as text. */
export interface SqlText {
  readonly text: string;
  readonly isCut: boolean;
}

/** How much longer the client waits than the node, so that it receives the node's timeout error. */
const graceMs = 10_000;
const notThere = 404;

/** Sends a query to a node. @throws {CommandError} `callFailed`, `unexpectedAnswer`, `noIndex` */
export async function querySql({ url, ...question }: SqlQueryOptions): Promise<SqlText> {
  let answer: Response;
  try {
    answer = await fetch(`${url}${sqlRoute.paths[0]}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ ...question, integers: "number" }),
      signal: AbortSignal.timeout(question.timeoutMs + graceMs),
    });
    const text = await answer.text();
    if (answer.ok) return { text, isCut: answer.headers.get("vedette-is-cut") === "true" };
    if (answer.status === notThere) throw new CommandError({ code: "noIndex", url });
    throw new CommandError({ code: "unexpectedAnswer", what: detailOf(text) });
  } catch (error) {
    if (error instanceof CommandError) throw error;
    const { message, cause } = error as Error;
    const reason = cause instanceof Error && cause.message !== "" ? cause.message : message;
    throw new CommandError({ code: "callFailed", address: url, reason }, { cause: error });
  }
}

function detailOf(text: string): string {
  try {
    return String((JSON.parse(text) as { readonly detail?: string }).detail ?? text);
  } catch {
    return text;
  }
}

/** Columns and rows of an answer in JSON. @throws {CommandError} `unexpectedAnswer` */
export function rowsOf(text: string): { readonly columns: readonly string[]; readonly rows: readonly JsonInput[][] } {
  const read = parseJson(text);
  if (!(read instanceof Map)) throw new CommandError({ code: "unexpectedAnswer", what: "The node answered no rows" });
  const answer = read as ReadonlyMap<string, unknown>;
  return { columns: answer.get("columns") as string[], rows: answer.get("rows") as JsonInput[][] };
}
