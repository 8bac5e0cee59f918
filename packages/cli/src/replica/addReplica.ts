import { keyNames } from "@vedette/config";
import type { Command } from "commander";
import { addNatsOptions, natsPasswordHelp } from "../natsOptions.js";
import { addRunOptions } from "../runOptions.js";

/** What of the configuration a replica goes by: it has no peers, and makes no blocks. */
const usedKeys = keyNames.filter(
  (name) =>
    /^(api-server|storage|metrics|index|logging)\./.test(name) ||
    [
      ...["dialect", "protocol-server.network-id", "casper.shard-name", "casper.fault-tolerance-threshold"],
      // Of a network of the newer node: which blocks keep its rules.
      ...["casper.max-number-of-parents", "casper.max-parent-depth", "casper.genesis-block-data.epoch-length"],
    ].includes(name),
);

/** `vedette replica`: serves what others executed, as a NATS stream brings it. */
export function addReplica(vedette: Command, finish: (exitCode: number) => void): void {
  const command = vedette
    .command("replica")
    .description("serve a chain that others execute and publish into a NATS stream: no peers, no keys, no execution")
    .helpOption("--help", "show this help")
    .option("-c, --config <path>", "configuration file (default: rnode.conf in the data directory)")
    .option("--profile <name>", "default or docker: where the data directory is")
    .option("--snapshot <place>", "where an empty data directory is filled from: a folder, or s3://bucket/prefix")
    .option("--block <hash>", "the block to begin with, by its whole hash: the snapshot's, or else genesis")
    .option("--maker <id>", "take the snapshot from this node alone, by its id")
    .option("--quorum <number>", "publishers that must say the same of a block before it is taken (default: 1)")
    .option("--publishers <ids>", "who counts for the quorum, with commas between them (default: all who publish)")
    .option("--endpoint <url>", "of an S3 store that is not Amazon's")
    .option("--region <name>", "of the S3 store (default: that of the environment or profile)");
  addNatsOptions(command);
  addRunOptions(command, usedKeys)
    .addHelpText(
      "after",
      `${natsPasswordHelp}\nExample:\n  vedette replica --data-dir /var/lib/vedette-replica --nats nats://127.0.0.1:4222`,
    )
    .action(async (given: Record<string, string | boolean>) => {
      const { runReplicaCommand } = await import("./runReplica.js");
      finish(await runReplicaCommand(given));
    });
}
