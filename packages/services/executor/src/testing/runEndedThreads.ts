import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { seedOfToday } from "@vedette/testing";
import { runScenario } from "./runScenario.js";

/** The outcome of calls to threads that end after each pause. */
export interface EndedThreads {
  /** Answers that were not right, and errors. */
  readonly wrong: readonly string[];
  /** Threads that have begun. */
  readonly threads: number;
  readonly written: number;
  readonly slowestMs: number;
}

/** Calls executor and readers in that number of rounds, at moments when their threads are not there, begin, or end. */
export async function runEndedThreads(rounds: number): Promise<EndedThreads> {
  const stateDirectory = mkdtempSync(join(tmpdir(), "vedette-ended-"));
  const seed = seedOfToday();
  try {
    const [ended] = await runScenario("endedThreads.js", [stateDirectory, String(rounds), String(seed)]);
    process.stdout.write(`${rounds} rounds, seed ${seed}: ${JSON.stringify(ended)}\n`);
    return ended as EndedThreads;
  } finally {
    rmSync(stateDirectory, { recursive: true });
  }
}
