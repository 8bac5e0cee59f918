import type { Command } from "./parseArguments.js";
import { printReport, replayLine } from "./printRequest.js";
import type { SimulationRequest } from "./SimulationRequest.js";
import { mixedRequest } from "./share.js";
import { shrink } from "./shrink.js";
import { simulate } from "./simulate.js";

/** The sums over many runs. */
export interface Sums {
  readonly runs: number;
  /** The lines that replay what failed. */
  readonly failed: readonly string[];
  readonly blocks: number;
  readonly steps: number;
  /** The processor time. */
  readonly cpuMs: number;
}

/** Seeds, both ends included. */
export interface SeedRange {
  readonly first: number;
  readonly last: number;
}

export const noSums: Sums = { runs: 0, failed: [], blocks: 0, steps: 0, cpuMs: 0 };

const maxShrinkingRuns = 60;

export function addSums(one: Sums, other: Sums): Sums {
  return {
    runs: one.runs + other.runs,
    failed: [...one.failed, ...other.failed],
    blocks: one.blocks + other.blocks,
    steps: one.steps + other.steps,
    cpuMs: one.cpuMs + other.cpuMs,
  };
}

export function printSums({ runs, failed, blocks, steps, cpuMs }: Sums): string {
  const perSecond = ((blocks * 1_000) / cpuMs).toFixed(0);
  const seconds = (cpuMs / 1_000).toFixed(0);
  return `${runs} networks, ${failed.length} failed; ${blocks} blocks, ${steps} steps; ${seconds} s of processor time, ${perSecond} blocks a second`;
}

/** Returns the request for each seed of a range. */
export function requestsIn({ first, last }: SeedRange, command: Pick<Command, "request" | "isMixed">) {
  return Array.from({ length: last - first + 1 }, (_, index): SimulationRequest => {
    const request = { ...command.request, seed: first + index };
    return command.isMixed ? mixedRequest(request) : request;
  });
}

/** Runs one network, and prints it where it failed. */
export async function runOne(
  request: SimulationRequest,
  { isVerbose, isShrunk, isReported }: Pick<Command, "isVerbose" | "isShrunk"> & { readonly isReported: boolean },
  say: (line: string) => void,
): Promise<Sums> {
  const print = isVerbose ? (line: string) => void process.stdout.write(line) : undefined;
  const before = process.cpuUsage();
  const outcome = await simulate(request, print);
  const { user, system } = process.cpuUsage(before);
  const sums = { ...noSums, runs: 1, blocks: outcome.blocks, steps: outcome.steps, cpuMs: (user + system) / 1_000 };
  if (outcome.failure === undefined) {
    if (isReported) say(printReport(request, outcome));
    return sums;
  }
  say(`\nseed ${request.seed} FAILED\n${printReport(request, outcome)}\n${replayLine(request)}`);
  if (isShrunk) {
    const small = await shrink(request, outcome, { run: simulate, maxRuns: maxShrinkingRuns });
    say(
      `\nshrunk in ${small.runs} runs:\n${printReport(small.request, small.outcome)}\n${replayLine(small.request)}\n`,
    );
  }
  return { ...sums, failed: [replayLine(request)] };
}
