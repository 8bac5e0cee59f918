import type { Command } from "commander";
import { addRunOptions } from "../runOptions.js";
import { addNatsOptions, natsPasswordHelp } from "../sharedOptions.js";

/** `vedette publish`: what happens to a node's chain, into a stream of NATS JetStream. */
export function addPublish(vedette: Command, finish: (exitCode: number) => void): void {
  const command = vedette
    .command("publish")
    .description("publish blocks, states and finality of a running node into a NATS stream")
    .helpOption("--help", "show this help");
  addNatsOptions(command)
    .option("--replicas <number>", "number of servers that store a new stream (default: 1)")
    .option("--keep-days <number>", "days that a new stream keeps messages (default: 7)")
    .option("--name <id>", "publisher id in the stream (default: node id, else host name)")
    .option(
      "--cursor <file>",
      "file with the position of the publisher (default: published.json in the data directory)",
    )
    .option("--json", "print one JSON object per line")
    .option("-c, --config <path>", "configuration file (default: rnode.conf in the data directory)")
    .option("--profile <name>", "profile of the data directory: default or docker");
  addRunOptions(command, ["storage.data-dir", "protocol-server.network-id"])
    .addHelpText(
      "after",
      `${natsPasswordHelp}\nExample:\n  vedette publish --data-dir /var/lib/vedette --nats nats://127.0.0.1:4222`,
    )
    .action(async (given: Record<string, string | boolean>) => {
      const { runPublish } = await import("./runPublish.js");
      finish(await runPublish(given));
    });
}
