import type { Command } from "commander";
import { addRunOptions } from "../runOptions.js";

/** `vedette doctor`: whether a node can run here, with the options of `run`. */
export function addDoctor(vedette: Command, finish: (exitCode: number) => void): void {
  addRunOptions(
    vedette
      .command("doctor")
      .description(
        "look at machine, data directory and network as a node would need them; tell what to do (exit code 1: it cannot run)",
      )
      .helpOption("--help", "show this help")
      .option("-c, --config <path>", "configuration file (default: rnode.conf in the data directory)")
      .option("--profile <name>", "default or docker: where the data directory is")
      .option("--json", "print one JSON array"),
  )
    .addHelpText("after", "\nExample:\n  vedette doctor -c /etc/vedette/rnode.conf --data-dir /var/lib/vedette")
    .action(async (options: Record<string, string | boolean>) => {
      const { runDoctor } = await import("./runDoctor.js");
      finish(await runDoctor(options, (text) => process.stdout.write(text)));
    });
}
