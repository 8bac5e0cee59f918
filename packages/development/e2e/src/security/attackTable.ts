import type { AttackCost } from "./AttackMeter.js";

const head = ["attack", "p99", "longest", "memory before, highest, after", "what the attacker got"];

/**
 * The table "What an attack costs" of `docs/explanation/security.md`: of times first what is the program's own, then what
 * the client saw, which other programs of the machine had a part in.
 */
export function attackTable(costs: readonly AttackCost[]): string {
  const rows = costs.map(({ name, during, memory, gains }) => [
    name,
    `${whole(during.ownP99Ms)} (${whole(during.p99Ms)}) ms`,
    `${whole(during.ownLongestMs)} (${whole(during.longestMs)}) ms`,
    `${[memory.before, memory.highest, memory.after].map(megabytes).join(", ")} MB`,
    gains.length === 0 ? "nothing" : gains.join("; "),
  ]);
  return [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |\n`).join("");
}

/** All that was measured of an attack, in one line. */
export function attackLine(cost: AttackCost): string {
  const { name, before, during, after, memory, loopDelayMs, isRunning, deployBlocks, tookMs, slowness } = cost;
  const answers = Object.entries({ before, during, after }).map(
    ([when, { count, failures, ...times }]) =>
      `${when} p99 ${whole(times.p99Ms)} (own ${whole(times.ownP99Ms)}) longest ${whole(times.longestMs)} (own ${whole(times.ownLongestMs)}) ms of ${count}, ${failures.length} failed`,
  );
  return [
    `${name}: /status ${answers.join("; ")}`,
    `main thread late by ${loopDelayMs === undefined ? "?" : whole(loopDelayMs)} ms`,
    `memory ${[memory.before, memory.highest, memory.after].map(megabytes).join(", ")} MB`,
    `it took ${tookMs.map((ms) => whole(ms / 1_000)).join(" + ")} s`,
    `${isRunning ? "runs" : "ended"}, honest deploy after ${deployBlocks} blocks, machine ${slowness.toFixed(1)} times slower`,
  ].join("; ");
}

function megabytes(bytes: number): string {
  return whole(bytes / 1e6);
}

function whole(value: number): string {
  return String(Math.round(value));
}
