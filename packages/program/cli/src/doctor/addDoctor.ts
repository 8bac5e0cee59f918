import type { Command } from "commander";
import { addRunOptions } from "../runOptions.js";

/** `vedette doctor`: whether a node can run here, with the options of `run`. */
export function addDoctor(vedette: Command, finish: (exitCode: number) => void): void {
  addRunOptions(
    vedette
      .command("doctor")
      .description("check machine, data directory and network for a node, with remedies (exit code 1: it cannot run)")
      .helpOption("--help", "show this help")
      .option("-c, --config <path>", "configuration file (default: rnode.conf in the data directory)")
      .option("--profile <name>", "profile of the data directory: default or docker")
      .option("--json", "print one JSON array"),
  )
    .addHelpText("after", "\nExample:\n  vedette doctor -c /etc/vedette/rnode.conf --data-dir /var/lib/vedette")
    .action(async (options: Record<string, string | boolean>) => {
      const { runDoctor } = await import("./runDoctor.js");
      finish(await runDoctor(options, (text) => process.stdout.write(text)));
    });
}
