import { eventKinds } from "@vedette/api/eventKinds";
import { type Command, InvalidArgumentError, Option } from "commander";
import { beginCommand } from "../client/beginCommand.js";
import type { CommandAnswer } from "../client/CommandAnswer.js";
import type { CommandHost } from "../client/CommandHost.js";
import type { Options } from "../client/NodeCommand.js";
import { parsePort } from "../client/options.js";
import { defaultNetworkDirectory } from "../network.js";

/** What a command does that goes on until it is interrupted; it prints by itself. */
type WatchRun = (host: CommandHost, options: Options, watch: Watch) => Promise<CommandAnswer | undefined>;

interface Watch {
  readonly argument: string | undefined;
  readonly signal: AbortSignal;
}

/** `vedette events`, `top`, `logs`: what happens, while it happens. @spec 50 §8.1 */
export function addWatchCommands(vedette: Command, host: CommandHost): void {
  const events = beginCommand(vedette, host, {
    name: "events",
    summary: "list the events that a node keeps, and follow new ones",
    example: "events --follow --kind transfer --kind deployFailed",
  })
    .option("-f, --follow", "go on with what happens, from now on unless --after is given")
    .addOption(
      new Option("--kind <kind>", "only these; as often as there are kinds").choices(eventKinds).argParser(kind),
    )
    .option("--after <cursor>", "begin behind this event; oldest: with all that are kept")
    .addOption(new Option("-n, --count <n>", "end after so many").argParser(count));
  runs(addHttpOptions(events), host, async () => (await import("./followEvents.js")).followEvents);

  const top = beginCommand(vedette, host, {
    name: "top",
    summary: "watch a node: phase, heights, peers, blocks, finality, memory, requests",
    example: "top -H localhost --http-port 40403",
  })
    .addOption(new Option("--every <seconds>", "how often to look").argParser(count).default(1))
    .addOption(new Option("-n, --count <n>", "end after so many looks").argParser(count));
  runs(addHttpOptions(top), host, async () => (await import("./runTop.js")).runTop);

  const logs = beginCommand(vedette, host, {
    name: "logs",
    summary: "show the logs of the nodes of `vedette network`",
    example: "logs validator1 --follow",
  })
    .argument("[node]", "one of them (default: all)")
    .option("--dir <path>", "where the network is kept", defaultNetworkDirectory)
    .addOption(new Option("-n, --lines <n>", "how many of the last lines, of each node").argParser(count).default(20))
    .option("-f, --follow", "go on with what is written")
    .option("--grep <text>", "only lines that hold this");
  runs(logs, host, async () => (await import("./showLogs.js")).showLogs);
}

function addHttpOptions(command: Command): Command {
  return command
    .option("-H, --host <host>", "node to ask (default: that of the context, or localhost)")
    .addOption(
      new Option("--http-port <port>", "its HTTP port (default: that of the context, or 40403)").argParser(parsePort),
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

function kind(text: string, before: readonly string[] = []): readonly string[] {
  if (!(eventKinds as readonly string[]).includes(text))
    throw new InvalidArgumentError(`It must be one of ${eventKinds.join(", ")}.`);
  return [...before, text];
}

function count(text: string): number {
  const value = /^\d{1,7}$/.test(text) ? Number(text) : 0;
  if (value < 1) throw new InvalidArgumentError("It must be a whole number from 1.");
  return value;
}
