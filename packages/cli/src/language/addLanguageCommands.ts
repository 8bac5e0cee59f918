import { type DialectName, dialectNames, versionText } from "@vedette/config";
import { type Command, Option } from "commander";
import { processHost } from "../client/CommandHost.js";
import { parseCount, parsePhlo } from "../optionNumbers.js";
import type { ProgramCommand } from "../programs.js";
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

/** Commands for who writes contracts. */
export function addLanguageCommands(
  vedette: Command,
  run: (command: ProgramCommand) => Promise<void>,
  finish: (exitCode: number) => void,
): void {
  vedette.commandsGroup("Write contracts:");
  vedette
    .command("fmt")
    .description("lay programs out in one way; comments stay, and the program stays the same")
    .argument("[paths...]", "files, directories (all .rho files in them), or - for the standard input", ["."])
    .option("--check", "change nothing; exit code 1 if a file is not formatted")
    .addOption(dialectOption("whose grammar they are read by"))
    .option("--json", "print one JSON object")
    .addHelpText("after", "\nExample:\n  vedette fmt --check contracts")
    .action(async (paths: string[], { check = false, json = false, dialect }: FormatOptions) => {
      await run({ command: "fmt", paths, input: await inputOf(paths), check, json, dialect });
    });
  vedette
    .command("lint")
    .description("tell what is probably wrong in programs; exit code 1 if there is something to tell")
    .argument("[paths...]", "files, directories (all .rho files in them), or - for the standard input", ["."])
    .addOption(dialectOption("whose grammar, methods and channels they are held against"))
    .option("--json", "print one JSON object")
    .addHelpText("after", "\nExample:\n  vedette lint contracts\n\nRules: docs/reference/lint.md")
    .action(async (paths: string[], { dialect, json = false }: LintOptions) => {
      await run({ command: "lint", paths, input: await inputOf(paths), json, dialect });
    });
  addTest(vedette, finish);
  vedette
    .command("lsp")
    .description("serve an editor: the language server for Rholang, over the standard input and output")
    .option("--stdio", "what it does anyhow; editors like to say it")
    .addOption(dialectOption("whose grammar, methods and channels programs are held against"))
    .addHelpText("after", "\nExample:\n  vedette lsp --stdio\n\nFor VS Code there is an extension: editors/vscode")
    .action(async ({ dialect }: { readonly dialect: DialectName }) => {
      const { serveLanguage } = await import("@vedette/lsp");
      serveLanguage(versionText, dialect);
    });
  vedette
    .command("new")
    .description("make a folder with a contract, its test, a script that deploys it, and a file for CI")
    .argument("<name>", "of the folder, which must not be there yet")
    .addHelpText("after", "\nExample:\n  vedette new my-contract")
    .action(async (name: string) => {
      const { newProject } = await import("./newProject.js");
      finish(newProject(name, processHost));
    });
}

function addTest(vedette: Command, finish: (exitCode: number) => void): void {
  vedette
    .command("test")
    .description("run contract tests that are written in Rholang, each on a state of its own on top of genesis")
    .argument("[paths...]", "files, or directories (all .rho files in them that have cases)", ["."])
    .addOption(dialectOption("of the network on whose genesis they run"))
    .option("--filter <text>", "only cases that have this in their names")
    .option("--threads <count>", "cases that run side by side (default: as many as there are cores)", parseCount)
    .option("--time-limit <ms>", "what a case may take", parseCount, 30_000)
    .option("--phlo-limit <phlo>", "what each program may use, instead of what its case says", parsePhlo)
    .option("--phlo-report", "show what each case cost")
    .option("--snapshot <file>", "compare what each case cost with this file; it is made where it is not there")
    .option("--update", "write the file of --snapshot anew")
    .option("--junit <file>", "write the results as JUnit's XML, too")
    .option("--coverage <file>", "write which lines of the deployed programs ran, as a tracefile of lcov")
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
}

function dialectOption(description: string): Option {
  return new Option("--dialect <name>", description).choices(dialectNames).default(dialectNames[0]);
}

async function inputOf(paths: readonly string[]): Promise<string | undefined> {
  return paths.includes("-") ? sourceText(await processHost.readInput(), "The standard input") : undefined;
}
