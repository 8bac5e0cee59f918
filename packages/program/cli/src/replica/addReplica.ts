import { keyNames } from "@vedette/config";
import { type Command, Option } from "commander";
import { addRunOptions } from "../runOptions.js";
import { addNatsOptions, addRenamedOption, natsPasswordHelp } from "../sharedOptions.js";

/** The configuration keys that a replica uses: it has no peers, and makes no blocks. */
const usedKeys = keyNames.filter(
  (name) =>
    /^(api-server|storage|metrics|index|logging)\./.test(name) ||
    [
      ...["dialect", "protocol-server.network-id", "casper.shard-name", "casper.fault-tolerance-threshold"],
      // For an f1r3node network: the limits that valid blocks keep.
      ...["casper.max-number-of-parents", "casper.max-parent-depth", "casper.genesis-block-data.epoch-length"],
      "casper.rule-set",
    ].includes(name),
);

/** `vedette replica`: serves what others executed, as a NATS stream brings it. */
export function addReplica(vedette: Command, finish: (exitCode: number) => void): void {
  const command = vedette
    .command("replica")
    .description("serve a chain from a NATS stream, without peers, keys or execution")
    .helpOption("--help", "show this help")
    .option("-c, --config <path>", "configuration file (default: rnode.conf in the data directory)")
    .option("--profile <name>", "profile of the data directory: default or docker")
    .option("--snapshot <place>", "snapshots to fill an empty data directory from: folder, or s3://bucket/prefix")
    .option("--block <hash>", "complete hash of the first block: of the snapshot, else of genesis")
    .option("--checkpoint <file>", "checkpoint that you trust, in place of --block; all of the snapshot must agree")
    .option("--quorum <number>", "number of publishers that must agree on a block (default: 1)")
    .option("--publishers <ids>", "publisher ids that count for the quorum, separated by commas (default: all)")
    .option("--endpoint <url>", "URL of an S3 store other than Amazon's")
    .option("--region <name>", "region of the S3 store (default: from the environment or profile)");
  const createdBy = new Option("--created-by <id>", "accept only a snapshot that this node id created");
  addRenamedOption(command, createdBy, "--maker <id>");
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
