import { homedir } from "node:os";
import { join } from "node:path";
import { blake2b256 } from "@vedette/crypto";
import { Command, InvalidArgumentError, Option } from "commander";
import { versionText } from "../config/version.js";
import { addConfigCommands } from "./addConfigCommands.js";
import { addClientCommands } from "./client/addClientCommands.js";
import { addRemoteEval } from "./client/addReplCommands.js";
import { processHost } from "./client/CommandHost.js";
import { clientArguments } from "./client/clientArguments.js";
import { hideKeys, titleWithoutKey } from "./client/hideKeys.js";
import { exitCodes } from "./exitCodes.js";
import { addNetworkCommands } from "./network.js";
import { printError } from "./printError.js";
import type { ProgramCommand } from "./programs.js";
import { addRunOptions, withoutJavaArguments, withProfileBehindRun } from "./runOptions.js";
import { addVerifyProof } from "./verifyProof.js";

const largestInt64 = 2n ** 63n - 1n;

function program(): Command {
  const vedette = new Command("vedette")
    .description("A node for rnode-family networks, and what goes with it.")
    .version(versionText, "--version", "print the version")
    .helpOption("-h, --help", "show this help")
    .showHelpAfterError("(add --help for the options)")
    .configureOutput({ outputError: (text, write) => write(hideKeys(text)) })
    .configureHelp({ subcommandTerm: callText })
    .exitOverride();
  addRunCommands(vedette);
  addNetworkCommands(vedette);
  addClientCommands(vedette);
  addToolCommands(vedette);
  addConfigCommands(vedette);
  return vedette;
}

/** How the list of commands shows one: aliases are told in its own help. */
function callText(command: Command): string {
  const texts = command.registeredArguments.map((argument) =>
    argument.required ? `<${argument.name()}>` : `[${argument.name()}]`,
  );
  return [command.name(), ...texts].join(" ");
}

function addRunCommands(vedette: Command): void {
  vedette.commandsGroup("Run a node:");
  addRunOptions(
    vedette
      .command("run")
      .description("run a node in the role that its configuration gives it: observer, validator, bootstrap, standalone")
      .helpOption("--help", "show this help")
      .option("-c, --config <path>", "configuration file (default: rnode.conf in the data directory)")
      .option("--profile <name>", "default or docker: where the data directory is"),
  ).action(async (options: Record<string, string | boolean>) => {
    const { config, profile } = options as Record<string, string | undefined>;
    const { runRun } = await import("./run.js");
    const isExplicit = process.argv.length > 2;
    finish(await runRun({ options, profile, configFile: config, isExplicit }));
  });
  vedette
    .command("replay")
    .description("replay a recorded chain from its files and compare every block with the recording")
    .argument("<chain>", "directory of the recorded chain")
    .option("--data-dir <path>", "where to keep blocks and states", join(homedir(), ".vedette", "replay"))
    .addOption(new Option("--from-genesis", "execute everything (the default)").conflicts("importState"))
    .option("--import-state", "begin from the exported state of the last finalized block")
    .option("--json", "print one JSON object")
    .action(async (chainPath: string, { dataDir, importState = false, json = false }) => {
      const start = importState ? "state" : "genesis";
      const { runReplay } = await import("./replay.js");
      finish(await runReplay({ chainPath, dataPath: dataDir, start, json }));
    });
}

interface EvalOptions {
  readonly json?: boolean;
  readonly phloLimit: bigint;
  readonly seed: string;
}

function addToolCommands(vedette: Command): void {
  vedette.commandsGroup("Tools:");
  vedette
    .command("parse")
    .description("show the normalized term of a program")
    .argument("<file>", "Rholang source")
    .option("--json", "print one JSON object")
    .action((file: string, { json = false }) => evaluate({ command: "parse", file, json }));
  const run = vedette
    .command("eval")
    .description(
      "run a program on the empty state; print its cost and the state root; with -H or -p: on a node's space",
    )
    .argument("<files...>", "Rholang source")
    .option("--phlo-limit <phlo>", "what the program may use", parsePhlo, 100_000_000n)
    .option("--seed <text>", "text whose hash seeds the names that the program makes", "vedette eval");
  addRemoteEval(run, processHost, async (file, { json = false, phloLimit, seed: text }: EvalOptions) => {
    const seed = blake2b256(new TextEncoder().encode(text));
    await evaluate({ command: "eval", file, json, phloLimit, seed });
  });
  vedette
    .command("vectors")
    .description("check this build against recorded answers of the reference")
    .argument("<path>", "a directory, searched through, or one file")
    .option("--differences <count>", "failures to show per file", parseCount, 5)
    .action((path: string, { differences }) => evaluate({ command: "vectors", path, mostDifferences: differences }));
  addVerifyProof(vedette, finish);
}

// Each command loads what it needs and nothing else: a node's servers take a third of a second and 50 MB.

async function evaluate(command: ProgramCommand): Promise<void> {
  const { runProgram } = await import("./runProgram.js");
  finish(await runProgram(command));
}

function parsePhlo(text: string): bigint {
  if (!/^\d{1,19}$/.test(text) || BigInt(text) > largestInt64)
    throw new InvalidArgumentError(`It must be a number from 0 to ${largestInt64}.`);
  return BigInt(text);
}

function parseCount(text: string): number {
  if (!/^\d{1,6}$/.test(text)) throw new InvalidArgumentError("It must be a whole number.");
  return Number(text);
}

/** Without a command the program is an observer, or says how to become one. */
function isWithoutCommand(args: readonly string[]): boolean {
  const [first] = args;
  return first === undefined || (first.startsWith("-") && !["-h", "--help", "--version"].includes(first));
}

function finish(exitCode: number): void {
  process.exitCode = exitCode;
}

try {
  const args = clientArguments(withProfileBehindRun(withoutJavaArguments(process.argv.slice(2))));
  const title = titleWithoutKey(args);
  // Setting it replaces the whole command line in the list of processes.
  if (title !== undefined) process.title = title;
  await program().parseAsync(isWithoutCommand(args) ? ["run", ...args] : args, { from: "user" });
} catch (error) {
  // Commander has printed help and usage errors itself; its exit code is 0 for help and version.
  if (error instanceof Error && "exitCode" in error && "code" in error) finish(Number(error.exitCode));
  else {
    printError(error);
    finish(exitCodes.failure);
  }
}
