import { type Command, help, parseArguments } from "./run/parseArguments.js";
import { addSums, noSums, printSums, requestsIn, runOne, type Sums } from "./run/runSeeds.js";
import { SeedProgress } from "./run/SeedProgress.js";
import { runSeeds } from "./run/seedProcesses.js";
import { dailyRequests } from "./run/share.js";

/** Parts of a range after which sums are printed. */
const reportedEvery = 5;

const say = (line: string) => void process.stdout.write(`${line}\n`);

/** One seed, or the share of a day. */
async function runFew(command: Command): Promise<Sums> {
  const requests = command.isShare ? dailyRequests(new Date()) : requestsIn(command.seeds, command);
  if (command.isShare) say(`seeds from ${requests.at(-1)?.seed}, by date`);
  let sums = noSums;
  for (const request of requests)
    sums = addSums(sums, await runOne(request, { ...command, isReported: !command.isShare }, say));
  return sums;
}

async function runMany(command: Command): Promise<Sums> {
  const progress = new SeedProgress(command.progress, command);
  if (progress.sums.runs > 0) say(`done before: ${printSums(progress.sums)}`);
  let parts = 0;
  await runSeeds(command, progress, () => {
    parts += 1;
    if (parts % reportedEvery === 0) say(printSums(progress.sums));
  });
  return progress.sums;
}

async function main(): Promise<void> {
  const command = parseArguments(process.argv.slice(2));
  if (command.isHelp) {
    say(help);
    return;
  }
  const { first, last } = command.seeds;
  const sums = await (command.isShare || first === last ? runFew(command) : runMany(command));
  say(printSums(sums));
  for (const line of sums.failed) say(`failed: ${line}`);
  if (sums.failed.length > 0) process.exitCode = 1;
}

await main().catch((error: unknown) => {
  process.stderr.write(
    `${error instanceof TypeError ? `${error.message}\n\n${help}` : String((error as Error).stack)}\n`,
  );
  process.exitCode = 1;
});
