import { homedir } from "node:os";
import { join } from "node:path";
import { type DialectName, versionText } from "@vedette/config";
import { blake2b256 } from "@vedette/crypto";
import { Command, Option } from "commander";
import { addConfigCommands } from "./addConfigCommands.js";
import { addApiKeyCommands } from "./apiKeys/addApiKeyCommands.js";
import { addClientCommands } from "./client/addClientCommands.js";
import { addRemoteEval } from "./client/addReplCommands.js";
import { processHost } from "./client/CommandHost.js";
import { hideKeys } from "./client/hideKeys.js";
import { addCompletion } from "./completion/addCompletion.js";
import { addDbCommands } from "./db/addDbCommands.js";
import { addDevCommands } from "./dev.js";
import { addDoctor } from "./doctor/addDoctor.js";
import { addLanguageCommands } from "./language/addLanguageCommands.js";
import { addLightCommands } from "./light/addLightCommands.js";
import { addNetworkCommands } from "./network.js";
import type { ProgramCommand } from "./programs.js";
import { addPublish } from "./publish/addPublish.js";
import { addReplica } from "./replica/addReplica.js";
import { addRunOptions } from "./runOptions.js";
import { dialectOption, parseCount, parsePhlo } from "./sharedOptions.js";
import { addSinkCommands } from "./sink/addSinkCommands.js";
import { addSnapshotCommands } from "./snapshot/addSnapshotCommands.js";
import { addIndexCommands } from "./tables/addIndexCommands.js";
import { addVerifyHistory } from "./verify/addVerifyHistory.js";
import { addVerifyProof } from "./verifyProof.js";

/** All commands of `vedette`, with their options and help; nothing runs yet. @spec 50 §5.6, §8.1 */
export function vedetteProgram(): Command {
  const vedette = new ForgivingCommand("vedette")
    .description("A node for rnode-family networks, with tools for contracts, applications and operators.")
    .version(versionText, "--version", "print the version")
    .helpOption("-h, --help", "show this help")
    .showHelpAfterError("(add --help for the options)")
    .configureOutput({ outputError: (text, write) => write(hideKeys(text)) })
    .configureHelp({ subcommandTerm: callText })
    .exitOverride();
  addRunCommands(vedette);
  addNetworkCommands(vedette);
  addDevCommands(vedette, processHost, finish);
  addClientCommands(vedette);
  addIndexCommands(vedette, processHost);
  addLightCommands(vedette, processHost);
  addLanguageCommands(vedette, evaluate, finish);
  addToolCommands(vedette);
  addConfigCommands(vedette);
  addDoctor(vedette, finish);
  addDbCommands(vedette, finish);
  addApiKeyCommands(vedette, finish);
  addSnapshotCommands(vedette, finish);
  addPublish(vedette, finish);
  addReplica(vedette, finish);
  addVerifyHistory(vedette, finish);
  addSinkCommands(vedette, processHost, finish);
  addCompletion(vedette);
  return vedette;
}

/** Commander compares all that was typed with its options, `--name=value` too, and so finds nothing alike. */
class ForgivingCommand extends Command {
  override createCommand(name?: string): Command {
    return new ForgivingCommand(name);
  }

  /** It is called by Commander, which has no type for it. */
  unknownOption(flag: string): void {
    const refuse = Reflect.get(Command.prototype, "unknownOption") as (this: Command, flag: string) => void;
    refuse.call(this, flag.startsWith("--") ? flag.split("=", 1)[0]! : flag);
  }
}

/** Returns a command's text in the list of commands; aliases are in the command's own help. */
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
      .description("run a node; the configuration decides its role: observer, validator, bootstrap or standalone")
      .helpOption("--help", "show this help")
      .option("-c, --config <path>", "configuration file (default: rnode.conf in the data directory)")
      .addOption(new Option("--config-file <path>", "same as --config, as in f1r3node").hideHelp())
      .addOption(new Option("--thread-pool-size <count>", "accepted for f1r3node, without effect").hideHelp())
      .option("--profile <name>", "profile of the data directory: default or docker"),
  ).action(async (options: Record<string, string | boolean>) => {
    const { configFile, config = configFile, profile } = options as Record<string, string | undefined>;
    const { runRun } = await import("./run.js");
    const isExplicit = process.argv.length > 2;
    finish(await runRun({ options, profile, configFile: config, isExplicit }));
  });
  vedette
    .command("replay")
    .description("replay a recorded chain from its files and compare every block with the recording")
    .argument("<chain>", "directory of the recorded chain")
    .option("--data-dir <path>", "directory for blocks and states", join(homedir(), ".vedette", "replay"))
    .addOption(new Option("--from-genesis", "execute everything (the default)").conflicts("importState"))
    .addOption(dialectOption("dialect of the recorded network (default: from the recording)"))
    .option("--import-state", "start at the exported state of the last finalized block")
    .option("--json", "print one JSON object")
    .action(async (chainPath: string, { dataDir, dialect, importState = false, json = false }) => {
      const start = importState ? "state" : "genesis";
      const { runReplay } = await import("./replay.js");
      finish(await runReplay({ chainPath, dataPath: dataDir, start, dialect, json }));
    });
}

interface EvalOptions {
  readonly json?: boolean;
  readonly phloLimit: bigint;
  readonly seed: string;
  readonly dialect: DialectName;
}

function addToolCommands(vedette: Command): void {
  vedette.commandsGroup("Tools:");
  vedette
    .command("parse")
    .description("show the normalized term of a program")
    .argument("<file>", "Rholang source")
    .addOption(dialectOption("dialect of the program"))
    .option("--json", "print one JSON object")
    .action((file: string, { json = false, dialect }) => evaluate({ command: "parse", file, json, dialect }));
  const run = vedette
    .command("eval")
    .description("run a program on the empty state and print cost and state root; with -H or -p on a node's space")
    .argument("<files...>", "Rholang source")
    .addOption(
      // With the default's text: help cannot print an integer of 64 bits.
      new Option("--phlo-limit <phlo>", "phlo limit of the program")
        .argParser(parsePhlo)
        .default(100_000_000n, "100000000"),
    )
    .option("--seed <text>", "seed of the unforgeable names that the program creates", "vedette eval")
    .addOption(dialectOption("dialect of the program"));
  addRemoteEval(run, processHost, async (file, { json = false, phloLimit, seed: text, dialect }: EvalOptions) => {
    const seed = blake2b256(new TextEncoder().encode(text));
    await evaluate({ command: "eval", file, json, phloLimit, seed, dialect });
  });
  vedette
    .command("vectors")
    .description("compare this build with recorded answers of rnode and f1r3node")
    .argument("<path>", "file, or directory that is searched recursively")
    .option("--differences <count>", "maximum number of failures to show per file", parseCount, 5)
    .addOption(dialectOption("dialect of the answers (default: from suite.json)"))
    .action((path: string, { differences, dialect }) =>
      evaluate({ command: "vectors", path, maxDifferences: differences, dialect }),
    );
  addVerifyProof(vedette, finish);
}

// Each command loads what it needs and nothing else: a node's servers take a third of a second and 50 MB.

async function evaluate(command: ProgramCommand): Promise<void> {
  const { runProgram } = await import("./runProgram.js");
  finish(await runProgram(command));
}

function finish(exitCode: number): void {
  process.exitCode = exitCode;
}
