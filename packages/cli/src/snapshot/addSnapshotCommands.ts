import type { Command } from "commander";
import { addRunOptions } from "../runOptions.js";
import type { SnapshotAction } from "./runSnapshot.js";

interface ActionWords {
  readonly does: string;
  readonly options: readonly (readonly [flags: string, text: string])[];
  /** Whether it has to do with a data directory. */
  readonly hasDirectory: boolean;
  readonly example: string;
}

const place = ["--place <folder>", "where the snapshots lie: a folder, or s3://bucket/prefix"] as const;
const ofStore = [
  ["--endpoint <url>", "of an S3 store that is not Amazon's"],
  ["--region <name>", "of the S3 store (default: that of the environment or profile)"],
] as const;
const block = ["--block <hash>", "of this block, or of one whose hash begins so (default: the newest)"] as const;

const actions: Readonly<Record<SnapshotAction, ActionWords>> = {
  create: {
    does: "write the state after a final block, and the blocks around it, as files; the node may run",
    options: [
      place,
      ["--at <hash>", "the block, by its whole hash (default: the last finalized one)"],
      ["--blocks-from <height>", "all blocks from this height on, not only those that a node needs to begin"],
      ["--every <duration>", "make one again and again, such as 6h, until it is ended"],
      ["--keep <number>", "with --every: how many stay (default: all)"],
    ],
    hasDirectory: true,
    example: "vedette snapshot create --data-dir /var/lib/vedette --place /mnt/snapshots",
  },
  restore: {
    does: "fill an empty data directory from a snapshot; every block, node and leaf is checked by its hash",
    options: [
      place,
      ["--block <hash>", "the block to begin with, by its whole hash, from somebody whom you trust"],
      ["--maker <id>", "take it from this node alone, by its id"],
    ],
    hasDirectory: true,
    example:
      "vedette snapshot restore --data-dir /var/lib/vedette --place /mnt/snapshots --block 5c1b…\n\nWhere do I get the hash? `vedette last-finalized-block` of a node that you trust tells one; a snapshot of an older\nblock is as good: `vedette is-finalized <hash>` asks that node whether it is of its chain.",
  },
  list: {
    does: "tell which snapshots there are",
    options: [place],
    hasDirectory: false,
    example: "vedette snapshot list --place /mnt/snapshots",
  },
  verify: {
    does: "read a whole snapshot and check every hash in it, and that nothing is missing",
    options: [place, block],
    hasDirectory: false,
    example: "vedette snapshot verify --place /mnt/snapshots",
  },
  prune: {
    does: "throw away all snapshots but the newest, and what they alone need",
    options: [place, ["--keep <number>", "how many stay (default: 3)"]],
    hasDirectory: false,
    example: "vedette snapshot prune --place /mnt/snapshots --keep 2",
  },
};

/** What of the configuration an action goes by; a directory that is there names its dialect itself. */
function keysOf(action: SnapshotAction): Parameters<typeof addRunOptions>[1] {
  return action === "restore"
    ? ["storage.data-dir", "casper.shard-name", "dialect"]
    : ["storage.data-dir", "casper.shard-name"];
}

/** `vedette snapshot`: a state and the blocks around it as files, for nodes that are to begin there. */
export function addSnapshotCommands(vedette: Command, finish: (exitCode: number) => void): void {
  const snapshot = vedette.command("snapshot").description("a chain's state as files, for nodes that begin with it");
  for (const [name, { does, options, hasDirectory, example }] of Object.entries(actions)) {
    const command = snapshot.command(name).description(does).helpOption("--help", "show this help");
    for (const [flags, text] of [...options, ...ofStore]) command.option(flags, text);
    command.option("--json", "print one JSON object");
    if (hasDirectory) {
      command
        .option("-c, --config <path>", "configuration file (default: rnode.conf in the data directory)")
        .option("--profile <name>", "default or docker: where the data directory is");
      addRunOptions(command, keysOf(name as SnapshotAction));
    }
    command.addHelpText("after", `\nExample:\n  ${example}`).action(async (given: Record<string, string | boolean>) => {
      const { runSnapshot } = await import("./runSnapshot.js");
      finish(await runSnapshot(name as SnapshotAction, given));
    });
  }
}
