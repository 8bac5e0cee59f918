// Run as a separate program by `hostilePrograms.process.test.ts`: threads run compiled modules only.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { toHex } from "@vedette/crypto";
import type { Dialect } from "@vedette/protocol";
import { openStateStore } from "../executor/executor.js";
import { ReaderPool } from "../reader/ReaderPool.js";
import { stateExecutorOf } from "./executorHere.js";
import { deepTerms, endsByItself, hostileTerms } from "./hostileTerms.js";

const longestMs = 4_000;
/** For what ends by itself, by another limit than that of time: a busy machine must not make it end by that. */
const patientMs = 600_000;
/** More than any program of the recorded chains has, by far. */
const honestDepth = 20_000;
/** A program with a longer time limit than its pool is ended with its thread, two seconds after the pool's limit. */
const overrun = { name: "overrun", source: hostileTerms()["splitMatch"]!, shortestMs: 300, ownMs: 60_000 } as const;
const path = mkdtempSync(join(tmpdir(), "vedette-readers-"));
const store = openStateStore({ stateDirectory: path });
const [dialect, ...wanted] = process.argv.slice(2) as [Dialect["name"], ...string[]];
const executor = stateExecutorOf(dialect, store);
const root = executor.makeEmptyState();
const pool = new ReaderPool({ stateDirectory: path, dialect, threads: 2, maxWaiting: 10 });
const dummy = new Uint8Array(65).fill(4);

async function explore(source: string, poolMs: number, timeoutMs = poolMs): Promise<string> {
  const call = { root, source, deployer: dummy, signature: dummy, timestamp: 0n, timeoutMs, form: "json" as const };
  try {
    const answer = await pool.call("explore", call, poolMs);
    if (answer.kind === "values") return `values ${answer.values.terms.join(",").length + 2}`;
    return answer.kind === "failed" ? answer.error : `stopped: ${answer.reason}`;
  } catch (error) {
    return String(error);
  }
}

const good = "new return in { return!(1 + 2) }";
const honestTerms = Object.entries(deepTerms(honestDepth)).map(([name, source]) => [`honest ${name}`, source] as const);
for (const [name, source] of [
  ...Object.entries(hostileTerms()),
  [overrun.name, overrun.source] as const,
  ...honestTerms,
]) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const startMs = performance.now();
  const [outcome, beside] = await Promise.all([
    name === overrun.name
      ? explore(source, overrun.shortestMs, overrun.ownMs)
      : explore(source, endsByItself.has(name) ? patientMs : longestMs),
    explore(good, patientMs),
  ]);
  const elapsedMs = Math.round(performance.now() - startMs);
  const after = await explore(good, patientMs);
  process.stdout.write(`${JSON.stringify({ name, outcome: outcome.slice(0, 160), beside, after, elapsedMs })}\n`);
}
await pool[Symbol.asyncDispose]();
const isUntouched = toHex(executor.makeEmptyState()) === toHex(root) && store.table("roots").count() === 1;
process.stdout.write(`${JSON.stringify({ isUntouched })}\n`);
await store.close();
rmSync(path, { recursive: true });
