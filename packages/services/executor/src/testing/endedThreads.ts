// Run as a separate program by the tests of threads that end: threads run compiled modules only.
// node endedThreads.js <state directory> <rounds> <seed>: calls executor and readers, whose threads end after each pause,
// at all moments: when none is there, while they begin, and while they end. Progress and wrong answers go to standard error.
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import type { Worker } from "node:worker_threads";
import { decodeBlock, rnode } from "@vedette/protocol";
import { oneOf, ownChain, recordedBlocks, seededRandom } from "@vedette/testing";
import { startExecutorThread } from "../executor/executor.js";
import { ReaderPool } from "../reader/ReaderPool.js";
import { onlyEnding } from "./everyAnswer.js";

const [stateDirectory, roundsText, seedText] = process.argv.slice(2) as [string, string, string];
const rounds = Number(roundsText);
const random = seededRandom(Number(seedText));
const rest = onlyEnding(5);
const usualTimeoutMs = 30_000;
const progressRounds = 100;
const living = new Set<Promise<unknown>>();
let threads = 0;
process.on("worker", (worker: Worker) => {
  threads += 1;
  const over: Promise<unknown> = once(worker, "exit").then(() => living.delete(over));
  living.add(over);
});

const executor = startExecutorThread({ stateDirectory, dialect: "rnode", endsWhenIdle: true }, { rest });
const emptyRoot = await executor.makeEmptyState();
await using readers = new ReaderPool({ stateDirectory, dialect: rnode.name, threads: 2, maxWaiting: 9, rest });
const blocks = recordedBlocks(ownChain)
  .slice(0, 2)
  .map(({ bytes }) => ({ bytes, ...decodeBlock(bytes, rnode.blockForm).body.state }));
const wrong: string[] = [];
/** No root of that number is written. */
const never = 1 << 30;
let slowestMs = 0;
let nextNumber = 0;
const written: number[] = [];

/** A root of that number, under which nothing is. */
const rootOf = (number: number) => new Uint8Array(Buffer.from(String(number).padStart(64, "f"), "hex"));
const dummy = new Uint8Array(65).fill(4);

/** Each of these returns whether what it was answered is right. */
async function write(): Promise<boolean> {
  const number = nextNumber;
  nextNumber += 1;
  await executor.recordRoot(rootOf(number));
  written.push(number);
  return true;
}

/** An earlier thread may have written them. */
async function readWritten(): Promise<boolean> {
  const numbers = [...written.slice(-3), never];
  const found = await Promise.all(numbers.map((number) => executor.hasRoot(rootOf(number))));
  return found.pop() === false && found.every(Boolean);
}

async function replay(): Promise<boolean> {
  const block = blocks.shift();
  if (block === undefined) return true;
  const { bytes, preStateHash: preState, postStateHash } = block;
  const answer = await executor.replay({ block: bytes, preState, invalidBlocks: [] });
  const here = await readers.call("areHere", [postStateHash, rootOf(0)], usualTimeoutMs);
  const isRight = answer.kind === "replayed" && Buffer.compare(answer.postStateHash, postStateHash) === 0;
  return isRight && here[0] === true && here[1] === false;
}

async function explore(): Promise<boolean> {
  const number = Math.floor(random() * 1e6);
  const source = `new return in { return!(${number} + 1) }`;
  const place = { root: emptyRoot, source, deployer: dummy, signature: dummy, timestamp: 0n };
  const call = { ...place, timeoutMs: usualTimeoutMs, form: "json" as const };
  const answer = await readers.call("explore", call, usualTimeoutMs);
  return answer.kind === "values" && answer.values.terms.join() === `{"ExprInt":{"data":${number + 1}}}`;
}

/** A reader has the store open, perhaps before any executor, for as long as one begins and writes. */
async function writeBesideReader(): Promise<boolean> {
  if (!(await explore())) return false;
  let isOver = false;
  const writing = write().finally(() => (isOver = true));
  writing.catch(() => undefined);
  let isRight = true;
  while (!isOver) isRight = (await explore()) && isRight;
  return (await writing) && isRight;
}

const asks = { write, readWritten, replay, explore, writeBesideReader } as const;
type Name = keyof typeof asks;
const names = Object.keys(asks) as Name[];

async function ask(round: number, name: Name): Promise<void> {
  const begunMs = performance.now();
  const outcome = await asks[name]().catch(String);
  slowestMs = Math.max(slowestMs, performance.now() - begunMs);
  if (outcome === true) return;
  wrong.push(`${round} ${name}: ${outcome}`);
  process.stderr.write(`${wrong.at(-1)}\n`);
}

/** A moment for the next question: none is there any more, they begin or work, or they may be about to end. */
const moments = {
  over: async () => {
    while (living.size > 0) await Promise.all(living);
  },
  atOnce: async () => {},
  ending: () => sleep(random() * 4 * rest.endMs),
} as const;
const momentNames = Object.keys(moments) as (keyof typeof moments)[];
const firstRound = ["over", "writeBesideReader"] as const;

for (let round = 0; round < rounds; round += 1) {
  // The first round is the one that failed always where the main thread had nothing open.
  const [moment, name] = round === 0 ? firstRound : [oneOf(momentNames, random), oneOf(names, random)];
  await moments[moment]();
  const first = ask(round, name);
  // Who begins first, and whether the other one is there by then, is what errors come from.
  if (random() < 0.5) await first;
  await Promise.all([first, ask(round, oneOf(names, random)), ask(round, oneOf(names, random))]);
  if ((round + 1) % progressRounds === 0) process.stderr.write(`${round + 1} rounds, ${wrong.length} wrong\n`);
}
await moments.over();
process.stdout.write(
  `${JSON.stringify({ wrong, threads, written: written.length, slowestMs: Math.round(slowestMs) })}\n`,
);
await executor[Symbol.asyncDispose]();
