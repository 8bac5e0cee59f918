import { type Command, help, parseArguments } from "./run/parseArguments.js";
import { printReport, replayLine } from "./run/printRequest.js";
import type { SimulationRequest } from "./run/Scenario.js";
import { shareOf } from "./run/share.js";
import { shrink } from "./run/shrink.js";
import { simulate } from "./run/simulate.js";

const mostShrinkingRuns = 60;
const toldEvery = 25;

const say = (line: string) => void process.stdout.write(`${line}\n`);

/** What many runs came to. */
const sums = { runs: 0, failed: 0, blocks: 0, steps: 0, cpuMs: 0 };

async function runOne(request: SimulationRequest, command: Command): Promise<void> {
  const print = command.isVerbose ? (line: string) => void process.stdout.write(line) : undefined;
  const before = process.cpuUsage();
  const outcome = await simulate(request, print);
  const { user, system } = process.cpuUsage(before);
  sums.runs += 1;
  sums.blocks += outcome.blocks;
  sums.steps += outcome.steps;
  sums.cpuMs += (user + system) / 1_000;
  const isAlone = command.seeds.first === command.seeds.last && !command.isShare;
  if (outcome.failure === undefined) {
    if (isAlone) say(printReport(request, outcome));
    return;
  }
  sums.failed += 1;
  say(`\nseed ${request.seed} FAILED\n${printReport(request, outcome)}\n${replayLine(request)}`);
  if (!command.isShrunk) return;
  const small = await shrink(request, outcome, { run: simulate, mostRuns: mostShrinkingRuns });
  say(`\nshrunk in ${small.runs} runs:\n${printReport(small.request, small.outcome)}\n${replayLine(small.request)}\n`);
}

function tellSums(isLast: boolean): void {
  const { runs, failed, blocks, steps, cpuMs } = sums;
  if (runs === 0 || (!isLast && runs % toldEvery !== 0)) return;
  const perSecond = ((blocks * 1_000) / cpuMs).toFixed(0);
  say(
    `${runs} networks, ${failed} failed; ${blocks} blocks, ${steps} steps; ${perSecond} blocks a second of processor time`,
  );
}

async function main(): Promise<void> {
  const command = parseArguments(process.argv.slice(2));
  if (command.isHelp) {
    say(help);
    return;
  }
  const { first, last } = command.seeds;
  const requests = command.isShare
    ? shareOf(new Date())
    : Array.from({ length: last - first + 1 }, (_, index) => ({ ...command.request, seed: first + index }));
  if (command.isShare) say(`seeds from ${requests.at(-1)?.seed}, by date`);
  for (const request of requests) {
    await runOne(request, command);
    if (requests.length > 1) tellSums(false);
  }
  tellSums(true);
  if (sums.failed > 0) process.exitCode = 1;
}

await main().catch((error: unknown) => {
  process.stderr.write(
    `${error instanceof TypeError ? `${error.message}\n\n${help}` : String((error as Error).stack)}\n`,
  );
  process.exitCode = 1;
});
