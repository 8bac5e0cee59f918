import type { ChildProcess } from "node:child_process";
import { fileURLToPath } from "node:url";
import { FailureEvidence, type Witness } from "./FailureEvidence.js";

/** Shared by the tests of this process; `keepEvidence.ts` sets which test runs, and whether it has failed. */
export const processEvidence = new FailureEvidence(
  fileURLToPath(new URL("../../../../../node_modules/.cache/failed-tests", import.meta.url)),
);

/** A node that hangs gives no evidence, and must not keep the others' from being written. */
const answerMs = 10_000;
/** As many heights as a node lists in one answer. */
const heightsAtOnce = 50;
/** Enough for every network that a test makes, and few enough to be requested at the end of one. */
const maxHeights = 400;

/** Characters that are kept of a process's output. */
const maxLogLength = 1_000_000;

/**
 * Keeps the end of a process's output, and records it as evidence.
 *
 * @param child with pipes as its standard output and error
 * @returns a function that returns its log
 */
export function keepLog(name: string, child: ChildProcess): () => string {
  let log = "";
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding("utf8").on("data", (text: string) => {
      log = (log + text).slice(-maxLogLength);
    });
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  processEvidence.add({ name, files: { "log.txt": () => log }, hasEnded });
  return () => log;
}

/**
 * Describes what is kept of a node: its log, its status, and its DAG as its HTTP API lists it.
 *
 * @param url of its HTTP API, without a slash at the end
 */
export function nodeWitness(name: string, log: () => string, url: string): Witness {
  return {
    name,
    files: { "log.txt": log, "status.json": () => statusOf(url), "dag.json": () => dagOf(url) },
  };
}

async function statusOf(url: string): Promise<string> {
  const paths = ["/status", "/api/last-finalized-block", "/health/ready"];
  const answers = await Promise.all(paths.map(async (path) => [path, await answerOf(url, path)] as const));
  return JSON.stringify(Object.fromEntries(answers), undefined, 2);
}

/** All blocks of the newest heights, the lowest ones first. */
async function dagOf(url: string): Promise<string> {
  const { syncStatus } = (await answerOf(url, "/status")) as { syncStatus: { blockNumber: number | null } };
  const height = syncStatus.blockNumber ?? 0;
  const blocks: unknown[] = [];
  for (let from = Math.max(0, height - maxHeights); from <= height; from += heightsAtOnce) {
    const span = await answerOf(url, `/api/blocks/${from}/${Math.min(height, from + heightsAtOnce - 1)}`);
    blocks.push(...(Array.isArray(span) ? span : [span]));
  }
  return JSON.stringify(blocks, undefined, 1);
}

async function answerOf(url: string, path: string): Promise<unknown> {
  const answer = await fetch(url + path, { signal: AbortSignal.timeout(answerMs) });
  const text = await answer.text();
  try {
    return JSON.parse(text);
  } catch {
    return `${answer.status} ${text}`;
  }
}
