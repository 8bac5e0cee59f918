import type { Command } from "commander";
import { addNatsOptions, natsPasswordHelp } from "../natsOptions.js";
import { addRunOptions } from "../runOptions.js";

/** `vedette publish`: what happens to a node's chain, into a stream of NATS JetStream. */
export function addPublish(vedette: Command, finish: (exitCode: number) => void): void {
  const command = vedette
    .command("publish")
    .description("put blocks, their states and what becomes final into a NATS stream, beside a node that runs")
    .helpOption("--help", "show this help");
  addNatsOptions(command)
    .option("--replicas <number>", "servers that keep the stream, where it is made (default: 1)")
    .option("--keep-days <number>", "for how long messages are kept, where it is made (default: 7)")
    .option("--name <id>", "who it is in the stream (default: the node's id, or the machine's name)")
    .option("--cursor <file>", "where is noted how far it is (default: published.json in the data directory)")
    .option("--json", "print one JSON object a line")
    .option("-c, --config <path>", "configuration file (default: rnode.conf in the data directory)")
    .option("--profile <name>", "default or docker: where the data directory is");
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
