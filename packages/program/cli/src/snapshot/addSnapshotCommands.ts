import { type Command, Option } from "commander";
import { addRunOptions } from "../runOptions.js";
import { addRenamedOption } from "../sharedOptions.js";
import type { SnapshotAction } from "./runSnapshot.js";

interface ActionWords {
  readonly does: string;
  /** Flags, help text, and the flags of earlier versions. */
  readonly options: readonly (readonly [flags: string, text: string, earlierFlags?: string])[];
  /** Whether it has to do with a data directory. */
  readonly hasDirectory: boolean;
  readonly example: string;
}

const place = ["--location <folder>", "folder of the snapshots, or s3://bucket/prefix", "--place <folder>"] as const;
const ofStore = [
  ["--endpoint <url>", "URL of an S3 store other than Amazon's"],
  ["--region <name>", "region of the S3 store (default: from the environment or profile)"],
] as const;
const block = ["--block <hash>", "block hash, or its first digits (default: the newest snapshot)"] as const;

const actions: Readonly<Record<SnapshotAction, ActionWords>> = {
  create: {
    does: "write the state after a final block, with the blocks around it, as files; the node may run",
    options: [
      place,
      ["--at <hash>", "complete hash of the block (default: the last finalized block)"],
      ["--blocks-from <height>", "lowest height of the blocks (default: only the blocks that a node needs to start)"],
      ["--interval <duration>", "create a snapshot repeatedly, for example every 6h", "--every <duration>"],
      ["--keep <number>", "with --interval: number of snapshots to keep (default: all)"],
    ],
    hasDirectory: true,
    example: "vedette snapshot create --data-dir /var/lib/vedette --location /mnt/snapshots",
  },
  restore: {
    does: "fill an empty data directory from a snapshot, and check every block, node and leaf by hash",
    options: [
      place,
      ["--block <hash>", "complete hash of the first block, from a source that you trust"],
      ["--checkpoint <file>", "checkpoint that you trust, in place of --block; all that it states must agree"],
      ["--created-by <id>", "accept only a snapshot that this node id created", "--maker <id>"],
    ],
    hasDirectory: true,
    example:
      "vedette snapshot restore --data-dir /var/lib/vedette --location /mnt/snapshots --block 5c1b…\n\nWhere to get the hash: run `vedette last-finalized-block` on a node that you trust. A snapshot of an older block works,\ntoo: `vedette is-finalized <hash>` on that node confirms its block.",
  },
  list: {
    does: "list the snapshots",
    options: [place],
    hasDirectory: false,
    example: "vedette snapshot list --location /mnt/snapshots",
  },
  verify: {
    does: "read a complete snapshot and check that all hashes match and nothing is missing",
    options: [place, block],
    hasDirectory: false,
    example: "vedette snapshot verify --location /mnt/snapshots",
  },
  prune: {
    does: "delete all but the newest snapshots",
    options: [place, ["--keep <number>", "number of snapshots to keep (default: 3)"]],
    hasDirectory: false,
    example: "vedette snapshot prune --location /mnt/snapshots --keep 2",
  },
};

/** Returns the configuration keys that an action uses; an existing directory names its dialect itself. */
function keysOf(action: SnapshotAction): Parameters<typeof addRunOptions>[1] {
  return action === "restore"
    ? ["storage.data-dir", "casper.shard-name", "dialect", "casper.rule-set"]
    : ["storage.data-dir", "casper.shard-name"];
}

/** `vedette snapshot`: a state and the blocks around it as files, for nodes that are to begin there. */
export function addSnapshotCommands(vedette: Command, finish: (exitCode: number) => void): void {
  const snapshot = vedette.command("snapshot").description("create and restore snapshots of a chain's state");
  for (const [name, { does, options, hasDirectory, example }] of Object.entries(actions)) {
    const command = snapshot.command(name).description(does).helpOption("--help", "show this help");
    for (const [flags, text, earlierFlags] of [...options, ...ofStore]) {
      const option = new Option(flags, text);
      if (earlierFlags === undefined) command.addOption(option);
      else addRenamedOption(command, option, earlierFlags);
    }
    command.option("--json", "print one JSON object");
    if (hasDirectory) {
      command
        .option("-c, --config <path>", "configuration file (default: rnode.conf in the data directory)")
        .option("--profile <name>", "profile of the data directory: default or docker");
      addRunOptions(command, keysOf(name as SnapshotAction));
    }
    command.addHelpText("after", `\nExample:\n  ${example}`).action(async (given: Record<string, string | boolean>) => {
      const { runSnapshot } = await import("./runSnapshot.js");
      finish(await runSnapshot(name as SnapshotAction, given));
    });
  }
}
