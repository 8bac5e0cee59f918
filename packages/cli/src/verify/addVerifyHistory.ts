import type { Command } from "commander";
import { addNatsOptions, natsPasswordHelp } from "../natsOptions.js";
import { addRunOptions } from "../runOptions.js";

const directory = ["storage.data-dir", "protocol-server.network-id"] as const;
/** What blocks are judged by. */
const rules = [
  "casper.shard-name",
  "casper.fault-tolerance-threshold",
  "casper.max-number-of-parents",
  "casper.max-parent-depth",
  "casper.min-phlo-price",
] as const;

/** `vedette verify-history` and `verify-worker`: a chain's history, executed again by several machines. */
export function addVerifyHistory(vedette: Command, finish: (exitCode: number) => void): void {
  const coordinator = begin(
    vedette,
    "verify-history",
    "have verify-workers execute a chain's final blocks again, and tell how far all of it is verified",
  )
    .option("--heights <number>", "heights of one task (default: 64)")
    .option("--lease <seconds>", "for how long a task is kept for a worker that says nothing (default: 30)")
    .option("--once", "end when all that is final now has been looked at")
    .option("--again", "forget what was found before, and begin anew");
  addRunOptions(coordinator, directory)
    .addHelpText(
      "after",
      `${natsPasswordHelp}\nExample:\n  vedette verify-history --data-dir /var/lib/vedette --nats nats://127.0.0.1:4222 --once`,
    )
    .action(async (given: Record<string, string | boolean>) => {
      const { runVerifyHistory } = await import("./runVerifyHistory.js");
      finish(await runVerifyHistory(given));
    });
  const worker = begin(
    vedette,
    "verify-worker",
    "execute final blocks again, on the states of a data directory, as verify-history gives them out",
  ).option("--name <text>", "what this worker is called in results (default: host and process)");
  addRunOptions(worker, [...directory, ...rules])
    .addHelpText(
      "after",
      `${natsPasswordHelp}\nExample:\n  vedette verify-worker --data-dir /var/lib/vedette-replica --nats nats://127.0.0.1:4222`,
    )
    .action(async (given: Record<string, string | boolean>) => {
      const { runVerifyWorker } = await import("./runVerifyWorker.js");
      finish(await runVerifyWorker(given));
    });
}

function begin(vedette: Command, name: string, does: string): Command {
  const command = vedette.command(name).description(does).helpOption("--help", "show this help");
  return addNatsOptions(command)
    .option("--json", "print one JSON object a line")
    .option("-c, --config <path>", "configuration file (default: rnode.conf in the data directory)")
    .option("--profile <name>", "default or docker: where the data directory is");
}
