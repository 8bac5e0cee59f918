// Run as a separate program by `replacedThreads.process.test.ts`: threads run compiled modules only.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { rnode } from "@vedette/protocol";
import { openStateStore } from "../executor/executor.js";
import { RnodeExecutor } from "../executor/RnodeExecutor.js";
import { ReaderPool, type ReaderPoolOptions } from "../reader/ReaderPool.js";
import { privateMemory } from "../thread/privateMemory.js";
import { everyAnswer } from "./everyAnswer.js";
import { hostileTerms } from "./hostileTerms.js";

const queries = 12;
const usualTimeoutMs = 30_000;
const settledMs = 30_000;
let threads = 0;
process.on("worker", () => (threads += 1));

const path = mkdtempSync(join(tmpdir(), "vedette-readers-"));
const store = openStateStore({ stateDirectory: path });
const root = new RnodeExecutor(store).makeEmptyState();
const dummy = new Uint8Array(65).fill(4);

function ask(pool: ReaderPool, source: string, timeoutMs = usualTimeoutMs): Promise<string> {
  const call = { root, source, deployer: dummy, signature: dummy, timestamp: 0n, timeoutMs, form: "json" as const };
  return pool.call("explore", call, timeoutMs).then(
    (answer) => {
      if (answer.kind === "values") return answer.values.terms.join();
      return answer.kind === "stopped" ? `stopped: ${answer.reason}` : answer.kind;
    },
    (error: unknown) => String(error),
  );
}

function poolOf(more: Partial<ReaderPoolOptions>): ReaderPool {
  return new ReaderPool({ stateDirectory: path, dialect: rnode.name, threads: 2, maxWaiting: queries, ...more });
}

/** All readers are replaced after each answer. */
async function replaceAmidQueries(): Promise<object> {
  await using pool = poolOf({ rest: everyAnswer });
  const all = Array.from({ length: queries }, (_, n) => ask(pool, `new return in { return!(${n} + 1) }`));
  const wrong = (await Promise.all(all)).filter((text, n) => text !== `{"ExprInt":{"data":${n + 1}}}`);
  return { wrong, threads };
}

/** A program that needs all of a stack leaves nothing of it in memory. */
async function giveBackStack(): Promise<object> {
  await using pool = poolOf({ threads: 1 });
  const before = await ask(pool, "new return in { return!(1) }");
  const beforeBytes = privateMemory("self")!;
  const deep = await ask(pool, hostileTerms()["tooDeep"]!);
  const after = await ask(pool, "new return in { return!(2) }");
  const giveUpMs = performance.now() + settledMs;
  const left = () => privateMemory("self")! - beforeBytes;
  while (left() > 64 << 20 && performance.now() < giveUpMs) await sleep(100);
  return { before, deep, after, leftMegabytes: Math.round(left() / 2 ** 20) };
}

/** Programs that take all they get, on all readers at once. */
async function growTogether(): Promise<object> {
  await using pool = poolOf({});
  await Promise.all([1, 2].map(() => ask(pool, "new return in { return!(1) }")));
  const beforeBytes = privateMemory("self")!;
  let maxBytes = 0;
  const look = setInterval(() => (maxBytes = Math.max(maxBytes, privateMemory("self")!)), 20);
  const outcomes = await Promise.all([1, 2].map(() => ask(pool, hostileTerms()["branching"]!, 10_000)));
  clearInterval(look);
  return { outcomes, maxMegabytes: Math.round((maxBytes - beforeBytes) / 2 ** 20) };
}

for (const scenario of [replaceAmidQueries, giveBackStack, growTogether])
  process.stdout.write(`${JSON.stringify(await scenario())}\n`);
await store.close();
rmSync(path, { recursive: true });
