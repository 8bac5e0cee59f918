import { homedir } from "node:os";
import { join } from "node:path";
import { type DialectName, dialectNames, versionText } from "@vedette/config";
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
import { addNetworkCommands } from "./network.js";
import { parseCount, parsePhlo } from "./optionNumbers.js";
import type { ProgramCommand } from "./programs.js";
import { addPublish } from "./publish/addPublish.js";
import { addReplica } from "./replica/addReplica.js";
import { addRunOptions } from "./runOptions.js";
import { addSinkCommands } from "./sink/addSinkCommands.js";
import { addSnapshotCommands } from "./snapshot/addSnapshotCommands.js";
import { addIndexCommands } from "./tables/addIndexCommands.js";
import { addVerifyHistory } from "./verify/addVerifyHistory.js";
import { addVerifyProof } from "./verifyProof.js";

/** All commands of `vedette`, with their options and help; nothing runs yet. @spec 50 §5.6, §8.1 */
export function vedetteProgram(): Command {
  const vedette = new ForgivingCommand("vedette")
    .description("A node for rnode-family networks, and what goes with it.")
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
      .addOption(new Option("--config-file <path>", "as the newer node calls it").hideHelp())
      .addOption(new Option("--thread-pool-size <count>", "of the newer node, without effect").hideHelp())
      .option("--profile <name>", "default or docker: where the data directory is"),
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
    .option("--data-dir <path>", "where to keep blocks and states", join(homedir(), ".vedette", "replay"))
    .addOption(new Option("--from-genesis", "execute everything (the default)").conflicts("importState"))
    .addOption(
      new Option("--dialect <name>", "of the recorded network (default: as the recording tells)").choices(dialectNames),
    )
    .option("--import-state", "begin from the exported state of the last finalized block")
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

/** The reference node's unless another is named. */
function dialectOption(description: string): Option {
  return new Option("--dialect <name>", description).choices(dialectNames).default("rnode-scala");
}

function addToolCommands(vedette: Command): void {
  vedette.commandsGroup("Tools:");
  vedette
    .command("parse")
    .description("show the normalized term of a program")
    .argument("<file>", "Rholang source")
    .addOption(dialectOption("by whose rules it is parsed"))
    .option("--json", "print one JSON object")
    .action((file: string, { json = false, dialect }) => evaluate({ command: "parse", file, json, dialect }));
  const run = vedette
    .command("eval")
    .description(
      "run a program on the empty state; print its cost and the state root; with -H or -p: on a node's space",
    )
    .argument("<files...>", "Rholang source")
    .addOption(
      // With the default's text: help cannot print an integer of 64 bits.
      new Option("--phlo-limit <phlo>", "what the program may use")
        .argParser(parsePhlo)
        .default(100_000_000n, "100000000"),
    )
    .option("--seed <text>", "text whose hash seeds the names that the program makes", "vedette eval")
    .addOption(dialectOption("by whose rules it runs here"));
  addRemoteEval(run, processHost, async (file, { json = false, phloLimit, seed: text, dialect }: EvalOptions) => {
    const seed = blake2b256(new TextEncoder().encode(text));
    await evaluate({ command: "eval", file, json, phloLimit, seed, dialect });
  });
  vedette
    .command("vectors")
    .description("compare this build with recorded answers of the reference nodes")
    .argument("<path>", "a directory, searched through, or one file")
    .option("--differences <count>", "failures to show per file", parseCount, 5)
    .addOption(
      new Option("--dialect <name>", "dialect of the answers (default: as suite.json says)").choices(dialectNames),
    )
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
