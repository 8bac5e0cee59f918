import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { program } from "@vedette/cli/testing";
import type { IndexLocation } from "@vedette/indexer";
import type { NodeEndpoint } from "./TableChecks.js";

/** When an index's process is killed. */
export interface KillMoment {
  /** The number of transactions before it. */
  readonly transactions: number;
  /** The delay after that. */
  readonly afterMs: number;
}

/**
 * Starts `vedette index`, and kills it without warning.
 *
 * @returns whether it was amid its work, as far as it had printed: what it wrote last may have been the end
 */
export async function killIndex(
  place: IndexLocation,
  { admin }: NodeEndpoint,
  { transactions, afterMs }: KillMoment,
): Promise<boolean> {
  const where =
    place.kind === "sqlite" ? ["--file", place.path] : ["--postgres-url", place.url, "--schema", place.schema];
  const child: ChildProcess = spawn(program, ["index", "--node", admin, "--json", ...where], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exited = once(child, "exit");
  let written = 0;
  let isComplete = false;
  for await (const line of createInterface({ input: child.stdout! })) {
    const event = JSON.parse(line) as { readonly type: string; readonly isComplete?: boolean };
    const { type } = event;
    if (type === "indexComplete" || event.isComplete === true) isComplete = true;
    if (type === "indexBegun" || type === "indexResumed" || type === "indexChanged") written += 1;
    if (written > transactions || isComplete) break;
  }
  if (!isComplete) await sleep(afterMs);
  child.kill("SIGKILL");
  await exited;
  return !isComplete;
}
