import { type Command, Option } from "commander";
import { addRunOptions } from "../runOptions.js";
import { addNatsOptions, addRenamedOption, natsPasswordHelp } from "../sharedOptions.js";

const directory = ["storage.data-dir", "protocol-server.network-id"] as const;
/** The configuration keys by which blocks are judged. */
const rules = [
  "casper.shard-name",
  "casper.fault-tolerance-threshold",
  "casper.max-number-of-parents",
  "casper.max-parent-depth",
  "casper.min-phlo-price",
  "casper.rule-set",
] as const;

/** `vedette verify-history` and `verify-worker`: a chain's history, executed again by several machines. */
export function addVerifyHistory(vedette: Command, finish: (exitCode: number) => void): void {
  const coordinator = begin(
    vedette,
    "verify-history",
    "distribute final blocks to verify-workers for re-execution, and report the verified height",
  )
    .option("--lease <seconds>", "seconds until the task of a silent worker is reassigned (default: 30)")
    .option("--once", "end when all blocks that are final now are verified");
  addRenamedOption(
    coordinator,
    new Option("--task-size <number>", "blocks per task, by height (default: 64)"),
    "--heights <number>",
  );
  addRenamedOption(coordinator, new Option("--restart", "discard earlier results and start again"), "--again");
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
    "re-execute the blocks that verify-history distributes, on the states of a data directory",
  ).option("--name <text>", "name of this worker in results (default: host and process)");
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
    .option("--json", "print one JSON object per line")
    .option("-c, --config <path>", "configuration file (default: rnode.conf in the data directory)")
    .option("--profile <name>", "profile of the data directory: default or docker");
}
