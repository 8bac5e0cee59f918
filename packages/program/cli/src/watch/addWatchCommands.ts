import { type Command, InvalidArgumentError, Option } from "commander";
import { beginCommand } from "../client/beginCommand.js";
import type { CommandAnswer } from "../client/CommandAnswer.js";
import type { CommandHost } from "../client/CommandHost.js";
import type { Options } from "../client/NodeCommand.js";
import { parsePort } from "../client/options.js";
import { defaultNetworkDirectory } from "../network.js";
import { addRenamedOption, eventKindOption } from "../sharedOptions.js";

/** The action of a command that goes on until it is interrupted; it prints by itself. */
type WatchRun = (host: CommandHost, options: Options, watch: Watch) => Promise<CommandAnswer | undefined>;

interface Watch {
  readonly argument: string | undefined;
  readonly signal: AbortSignal;
}

/** `vedette events`, `top`, `logs`: what happens, while it happens. @spec 50 §8.1 */
export function addWatchCommands(vedette: Command, host: CommandHost): void {
  const events = beginCommand(vedette, host, {
    name: "events",
    summary: "list the stored events of a node, and follow new ones",
    example: "events --follow --kind transfer --kind deployFailed",
  })
    .option("-f, --follow", "follow new events, starting now unless --after is given")
    .addOption(eventKindOption())
    .option("--after <cursor>", "cursor to start after; oldest starts with all stored events")
    .addOption(new Option("-n, --count <n>", "end after this number of events").argParser(count));
  runs(addHttpOptions(events), host, async () => (await import("./followEvents.js")).followEvents);

  const top = beginCommand(vedette, host, {
    name: "top",
    summary: "watch a node: phase, heights, peers, blocks, finality, memory, requests",
    example: "top -H localhost --http-port 40403",
  }).addOption(new Option("-n, --count <n>", "end after this number of readings").argParser(count));
  const interval = new Option("--interval <seconds>", "seconds between two readings").argParser(count).default(1);
  addRenamedOption(top, interval, "--every <seconds>");
  runs(addHttpOptions(top), host, async () => (await import("./runTop.js")).runTop);

  const logs = beginCommand(vedette, host, {
    name: "logs",
    summary: "show the logs of the nodes of `vedette network`",
    example: "logs validator1 --follow",
  })
    .argument("[node]", "node with the log to show (default: all)")
    .option("--dir <path>", "directory of the network", defaultNetworkDirectory)
    .addOption(new Option("-n, --lines <n>", "number of last lines per node").argParser(count).default(20))
    .option("-f, --follow", "follow new lines")
    .option("--grep <text>", "show only lines that contain this text");
  runs(logs, host, async () => (await import("./showLogs.js")).showLogs);
}

function addHttpOptions(command: Command): Command {
  return command
    .option("-H, --host <host>", "host of the node (default: from the context, else localhost)")
    .addOption(
      new Option("--http-port <port>", "HTTP port of the node (default: from the context, else 40403)").argParser(
        parsePort,
      ),
    );
}

function runs(command: Command, host: CommandHost, load: () => Promise<WatchRun>): void {
  command.option("--json", "print JSON lines").action(async (...given: unknown[]) => {
    const [{ answerWith }, run] = await Promise.all([import("../client/CommandAnswer.js"), load()]);
    const options = command.opts<Options>();
    const argument = typeof given[0] === "string" ? given[0] : undefined;
    await answerWith(host, options["json"] === true, (signal) => run(host, options, { argument, signal }));
  });
}

function count(text: string): number {
  const value = /^\d{1,7}$/.test(text) ? Number(text) : 0;
  if (value < 1) throw new InvalidArgumentError("It must be a whole number from 1.");
  return value;
}
