import type { KeyName } from "@vedette/config";
import type { Command } from "commander";
import { addRunOptions } from "../runOptions.js";
import type { DbAction } from "./runDb.js";

interface ActionWords {
  readonly does: string;
  readonly keys?: readonly KeyName[];
  /** Of its own, besides those of all. */
  readonly flags?: readonly (readonly [flag: string, does: string])[];
}

const actions: Readonly<Record<DbAction, ActionWords>> = {
  stats: { does: "tell what a data directory holds, and what each table takes" },
  verify: {
    does: "check every page, value, hash and reference (exit code 1: something is wrong)",
    flags: [["--repair", "make again what is damaged; what only peers have is fetched by the running node"]],
  },
  compact: { does: "write the files anew without the room that is free in them" },
  prune: { does: "throw away the states that --history does not keep", keys: ["storage.history"] },
  migrate: { does: "bring what earlier versions wrote into the present form" },
};

/** `vedette db`: what is done with a data directory while its node is stopped. */
export function addDbCommands(vedette: Command, finish: (exitCode: number) => void): void {
  const db = vedette.command("db").description("look after a data directory whose node is stopped");
  for (const [name, { does, keys = [], flags = [] }] of Object.entries(actions)) {
    const command = db
      .command(name)
      .description(does)
      .helpOption("--help", "show this help")
      .option("-c, --config <path>", "configuration file (default: rnode.conf in the data directory)")
      .option("--profile <name>", "default or docker: where the data directory is")
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
