import type { KeyName } from "@vedette/config";
import type { Command } from "commander";
import { addRunOptions } from "../runOptions.js";
import type { DbAction } from "./runDb.js";

interface ActionWords {
  readonly does: string;
  readonly keys?: readonly KeyName[];
  /** Its own flags, besides those of all. */
  readonly flags?: readonly (readonly [flag: string, does: string])[];
}

const actions: Readonly<Record<DbAction, ActionWords>> = {
  stats: { does: "show contents and table sizes of a data directory" },
  verify: {
    does: "check every page, value, hash and reference (exit code 1: damaged)",
    flags: [["--repair", "repair damage; the running node fetches from peers what is missing"]],
  },
  compact: { does: "rewrite the database files without free pages" },
  prune: { does: "delete the states outside --history", keys: ["storage.state-retention"] },
  migrate: { does: "convert data of earlier versions to the present format" },
};

/** `vedette db`: what is done with a data directory while its node is stopped. */
export function addDbCommands(vedette: Command, finish: (exitCode: number) => void): void {
  const db = vedette.command("db").description("maintain the data directory of a stopped node");
  for (const [name, { does, keys = [], flags = [] }] of Object.entries(actions)) {
    const command = db
      .command(name)
      .description(does)
      .helpOption("--help", "show this help")
      .option("-c, --config <path>", "configuration file (default: rnode.conf in the data directory)")
      .option("--profile <name>", "profile of the data directory: default or docker")
      .option("--json", "print one JSON object");
    for (const [flag, text] of flags) command.option(flag, text);
    addRunOptions(command, ["storage.data-dir", "casper.shard-name", ...keys])
      .addHelpText("after", `\nExample:\n  vedette db ${name} --data-dir /var/lib/vedette`)
      .action(async (options: Record<string, string | boolean>) => {
        const { runDb } = await import("./runDb.js");
        finish(await runDb(name as DbAction, options));
      });
  }
}
