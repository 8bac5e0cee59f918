import type { Command } from "commander";
import { addRunOptions } from "./runOptions.js";

/** `vedette config …`: what a configuration means, before a node runs with it. @spec 50 §5 */
export function addConfigCommands(vedette: Command): void {
  const config = vedette
    .command("config")
    .description("check a configuration, or show all settings")
    .helpCommand(false);
  addRunOptions(
    config
      .command("check")
      .description("show every value, its source and errors (exit code 1: unusable)")
      .helpOption("--help", "show this help")
      .argument("<file>", "configuration file")
      .option("--profile <name>", "profile of the data directory: default or docker")
      .option("--changed", "show only values that differ from the defaults")
      .option("--json", "print one JSON object"),
  )
    .addHelpText("after", "\nExample:\n  vedette config check ./data/rnode.conf --changed")
    .action(async (file: string, options: Record<string, string | boolean>) => {
      const { checkConfig } = await import("./config.js");
      process.exitCode = checkConfig(file, options, (text) => process.stdout.write(`${text}\n`));
    });
  config
    .command("show")
    .description("print all settings with their defaults as a configuration file")
    .option("--json", "print one JSON array")
    .addHelpText("after", "\nExample:\n  vedette config show > ./data/rnode.conf")
    .action(async ({ json = false }: { json?: boolean }) => {
      const { showConfig } = await import("./config.js");
      process.stdout.write(`${showConfig(json)}\n`);
    });
}
