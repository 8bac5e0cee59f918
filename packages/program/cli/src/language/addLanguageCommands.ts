import { type DialectName, versionText } from "@vedette/config";
import { type Command, Option } from "commander";
import { processHost } from "../client/CommandHost.js";
import type { ProgramCommand } from "../programs.js";
import { addRenamedOption, dialectOption, parseCount, parsePhlo } from "../sharedOptions.js";
import { sourceText } from "./sourceFiles.js";
import type { TestCommandOptions } from "./testContracts.js";

interface LintOptions {
  readonly dialect: DialectName;
  readonly json?: boolean;
}

interface FormatOptions {
  readonly dialect: DialectName;
  readonly check?: boolean;
  readonly json?: boolean;
}

/** Commands for authors of contracts. */
export function addLanguageCommands(
  vedette: Command,
  run: (command: ProgramCommand) => Promise<void>,
  finish: (exitCode: number) => void,
): void {
  vedette.commandsGroup("Write contracts:");
  vedette
    .command("fmt")
    .description("format Rholang programs; comments and meaning stay the same")
    .argument("[paths...]", "files, directories (with all .rho files), or - for the standard input", ["."])
    .option("--check", "change nothing; exit code 1 if a file is not formatted")
    .addOption(dialectOption("dialect of the programs").default("rnode"))
    .option("--json", "print one JSON object")
    .addHelpText("after", "\nExample:\n  vedette fmt --check contracts")
    .action(async (paths: string[], { check = false, json = false, dialect }: FormatOptions) => {
      await run({ command: "fmt", paths, input: await inputOf(paths), check, json, dialect });
    });
  vedette
    .command("lint")
    .description("report probable mistakes in programs (exit code 1: at least one)")
    .argument("[paths...]", "files, directories (with all .rho files), or - for the standard input", ["."])
    .addOption(dialectOption("dialect of the programs: grammar, methods, channels").default("rnode"))
    .option("--json", "print one JSON object")
    .addHelpText("after", "\nExample:\n  vedette lint contracts\n\nRules: docs/reference/lint.md")
    .action(async (paths: string[], { dialect, json = false }: LintOptions) => {
      await run({ command: "lint", paths, input: await inputOf(paths), json, dialect });
    });
  addTest(vedette, finish);
  vedette
    .command("lsp")
    .description("run the Rholang language server on the standard input and output")
    .option("--stdio", "accepted for editors, without effect")
    .addOption(dialectOption("dialect of the programs: grammar, methods, channels").default("rnode"))
    .addHelpText("after", "\nExample:\n  vedette lsp --stdio\n\nFor VS Code there is an extension: editors/vscode")
    .action(async ({ dialect }: { readonly dialect: DialectName }) => {
      const { serveLanguage } = await import("@vedette/language/lsp");
      serveLanguage(versionText, dialect);
    });
  vedette
    .command("new")
    .description("create a project: contract, test, deploy script, CI configuration")
    .argument("<name>", "name of the new folder")
    .addHelpText("after", "\nExample:\n  vedette new my-contract")
    .action(async (name: string) => {
      const { newProject } = await import("./newProject.js");
      finish(newProject(name, processHost));
    });
}

function addTest(vedette: Command, finish: (exitCode: number) => void): void {
  const command = vedette
    .command("test")
    .description("run contract tests written in Rholang, each on its own copy of the genesis state")
    .argument("[paths...]", "files, or directories (with all .rho files that contain cases)", ["."])
    .addOption(dialectOption("dialect of the genesis").default("rnode"))
    .option("--filter <text>", "run only cases with this text in their name")
    .option("--threads <count>", "number of concurrent cases (default: number of cores)", parseCount)
    .option("--time-limit <ms>", "time limit of a case", parseCount, 30_000)
    .option("--phlo-limit <phlo>", "phlo limit of each program, overrides its case", parsePhlo)
    .option("--phlo-report", "show the cost of each case")
    .option("--update", "write the file of --cost-baseline again")
    .option("--junit <file>", "also write the results as JUnit XML")
    .option("--coverage <file>", "write the line coverage of the deployed programs as an lcov tracefile")
    .option("--watch", "run again whenever a file changes, until interrupted")
    .option("--json", "print one JSON object")
    .addHelpText(
      "after",
      "\nExample:\n  vedette test tests --phlo-report\n\nHow to write them: docs/how-to/contracts.md",
    )
    .action(async (paths: string[], options: TestCommandOptions) => {
      const { testContracts, watchContracts } = await import("./testContracts.js");
      if (options.watch === true) await watchContracts(paths, options, processHost);
      else finish(await testContracts(paths, options, processHost));
    });
  const baseline = new Option(
    "--cost-baseline <file>",
    "compare the cost of each case with this file; create it if missing",
  );
  addRenamedOption(command, baseline, "--snapshot <file>");
}

async function inputOf(paths: readonly string[]): Promise<string | undefined> {
  return paths.includes("-") ? sourceText(await processHost.readInput(), "The standard input") : undefined;
}
