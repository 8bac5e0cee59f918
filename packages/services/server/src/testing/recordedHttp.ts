import { readFileSync } from "node:fs";
import { join } from "node:path";
import { recordedDirectory } from "@vedette/testing";
import { expect } from "vitest";

/** A request and what rnode answered. */
export interface RecordedAnswer {
  readonly id: string;
  readonly port: "public" | "admin";
  readonly method: string;
  readonly path: string;
  readonly requestHeaders?: Readonly<Record<string, string>>;
  readonly requestBody?: string | null;
  readonly response: {
    readonly status: number;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body: string;
  };
  /** Members of the answer that differ from node to node; `*`: the whole of it. */
  readonly volatile?: readonly string[];
}

/** The node that receives the requests. */
export interface RecordedNode {
  readonly ports: Readonly<Record<RecordedAnswer["port"], number>>;
  /** Whether its address, version and peers are those of the recorded one. */
  readonly isTheRecorded: boolean;
}

/**
 * Programs with an answer that rnode draws by lot: names made with its random key, and the choice among several data.
 */
const drawnByLot = [/return!\(bundle\+/, /@"acc-0"!\(0\)/, /@v <- @"board-3"/];

/** Routes with a body of our own, and those that others serve. */
const others = [
  // The root has a route that rnode lacks.
  /^\/blocks$/,
  /^\/metrics$/,
  // Served by the events.
  /^\/ws\/events/,
];

const volatileHeaders = new Set(["date", "content-length"]);

/** All that was recorded on the chain `solo`. @throws Error when the recordings are not there */
export function recordedAnswers(): RecordedAnswer[] {
  return readFileSync(join(recordedDirectory("api"), "solo.jsonl"), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
}

/** Whether rnode would answer the same again, and we mean to. */
export function isCompared({ method, path, requestBody }: RecordedAnswer): boolean {
  // rnode has none (50 §1.1): ours are compared with what GET answers.
  if (method === "HEAD") return false;
  if (others.some((pattern) => pattern.test(path))) return false;
  return !drawnByLot.some((pattern) => pattern.test(requestBody?.replaceAll('\\"', '"') ?? ""));
}

/** Returns the name of a recording in a list of tests. */
export function titleOf({ method, path, requestBody }: RecordedAnswer): string {
  return `${method} ${path} ${requestBody?.slice(0, 60) ?? ""}`;
}

/** Sends a recorded request to a node. @throws when status, body or headers differ */
export async function expectRecordedAnswer(recording: RecordedAnswer, node: RecordedNode): Promise<void> {
  const { port, method, path, requestBody, requestHeaders, response } = recording;
  const body = requestBody === null || requestBody === undefined ? {} : { body: requestBody };
  // A client that requests compression gets other headers than from rnode, which has none.
  const headers = { "accept-encoding": "identity", ...requestHeaders };
  const answer = await fetch(`http://127.0.0.1:${node.ports[port]}${path}`, { method, headers, ...body });
  const text = await answer.text();
  const volatile = node.isTheRecorded ? [] : (recording.volatile ?? []);
  const comparable = (one: string) => comparableBody(path, one, volatile);
  expect([answer.status, comparable(text)]).toEqual([response.status, comparable(response.body)]);
  for (const [name, value] of Object.entries(response.headers ?? {}))
    if (!volatileHeaders.has(name.toLowerCase())) expect([name, answer.headers.get(name)]).toEqual([name, value]);
}

/**
 * Returns the body as rnode would have sent it: without our additions (50 §8.7), members of descriptions in any order.
 */
function comparableBody(path: string, body: string, volatile: readonly string[]): unknown {
  if (path.endsWith("/openapi.json")) return JSON.parse(body);
  const reference = body.replace(/,"syncStatus":\{.*\}\}$/, "}");
  if (volatile.length === 0) return reference;
  if (volatile.includes("*")) return typeof body;
  const members = Object.entries(JSON.parse(reference) as Record<string, unknown>);
  return members.map(([name, value]) => [name, volatile.includes(name) ? typeof value : value]);
}
