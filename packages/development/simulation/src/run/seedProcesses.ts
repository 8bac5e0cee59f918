import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import type { Command } from "./parseArguments.js";
import { addSums, noSums, requestsIn, runOne, type SeedRange, type Sums } from "./runSeeds.js";
import type { SeedProgress } from "./SeedProgress.js";

interface Task {
  readonly range: SeedRange;
  readonly command: Command;
}

/** Runs what is left, here or in child processes. @param report is called after each part */
export async function runSeeds(command: Command, progress: SeedProgress, report: () => void): Promise<void> {
  const left = [...progress.left];
  const work = async (run: (range: SeedRange) => Promise<Sums>): Promise<void> => {
    for (let range = left.shift(); range !== undefined; range = left.shift()) {
      progress.note(range, await run(range));
      report();
    }
  };
  if (command.processes === 1) return work((range) => runRange(range, command));
  await Promise.all(
    Array.from({ length: Math.min(command.processes, left.length) }, async () => {
      const child = fork(new URL("./seedProcess.js", import.meta.url));
      try {
        await work((range) => ask(child, { range, command }));
      } finally {
        child.kill();
      }
    }),
  );
}

async function ask(child: ChildProcess, task: Task): Promise<Sums> {
  const ended = new AbortController();
  const { signal } = ended;
  try {
    child.send(task);
    const [sums] = await Promise.race([
      once(child, "message", { signal }),
      once(child, "exit", { signal }).then(([code]): never => {
        throw new Error(`the process of seeds ${task.range.first} to ${task.range.last} ended (${code})`);
      }),
    ]);
    return sums as Sums;
  } finally {
    ended.abort();
  }
}

/** One seed after the other. */
export async function runRange(range: SeedRange, command: Command): Promise<Sums> {
  let sums = noSums;
  for (const request of requestsIn(range, command))
    sums = addSums(
      sums,
      await runOne(request, { ...command, isReported: false }, (line) => void process.stdout.write(`${line}\n`)),
    );
  return sums;
}

/** Runs a range of seeds for each message, in a process of its own. */
export function serveRanges(): void {
  process.on("message", ({ range, command }: Task) => {
    runRange(range, command).then(
      (sums) => process.send!(sums),
      (error: unknown) => {
        process.stderr.write(`${String(error)}\n`);
        process.exit(1);
      },
    );
  });
}
