import { type Command, Option } from "commander";
import { beginNodeCommand, runsOnNode } from "./beginCommand.js";
import type { CommandHost } from "./CommandHost.js";
import { addNodeOptions, grpcPorts, parseDepth } from "./options.js";

const answers = () => import("./replAnswers.js");

/** Commands that run programs on a node's evaluation space, and that look for receives. @spec 50 §5.6 */
export function addReplCommands(vedette: Command, host: CommandHost): void {
  const repl = beginNodeCommand(vedette, host, grpcPorts.internal, {
    name: "repl",
    summary: "run programs line by line on a scratch space of a node, not on its chain; :q quits",
    example: "repl -H localhost -p 40402",
  });
  runsOnNode(repl, host, async () => (await answers()).repl);

  const continuations = beginNodeCommand(vedette, host, grpcPorts.external, {
    name: "continuations-at-name",
    aliases: ["listen-cont-at-name"],
    summary: "show the receives that wait on a name, or on several names jointly",
    example: "continuations-at-name --name '\"hello\"'",
  })
    .option("--name <rholang...>", "public names, for example '\"hello\"'")
    .option("--unforgeable <hex...>", "unforgeable names")
    .addOption(new Option("-t, --type <kind>", "kind of --content").choices(["pub", "priv"]).default("pub").hideHelp())
    .addOption(new Option("-c, --content <text...>", "names").hideHelp())
    .addOption(new Option("--depth <n>", "number of newest heights to search").argParser(parseDepth).default(1));
  runsOnNode(continuations, host, async () => (await answers()).continuationsAtName);
}

/** Gives `eval` what it needs to run programs on a node instead of here. @spec 50 §5.6 */
export function addRemoteEval(
  command: Command,
  host: CommandHost,
  here: (file: string, options: never) => unknown,
): void {
  addNodeOptions(command, grpcPorts.internal);
  command.option("--print-unmatched-sends-only", "on a node: show only sends without a receiver");
  command.action(async (files: string[], options: Record<string, unknown>) => {
    const places = ["host", "port", "grpcHost", "grpcPort"];
    const isRemote = places.some((name) => command.getOptionValueSource(name) === "cli");
    const [first, second] = files;
    if (!isRemote) {
      if (second !== undefined) command.error(`error: here one program is run at a time; ${second} is too much`);
      await here(first!, options as never);
      return;
    }
    const [{ answerFromNode }, { evalOnNode }] = await Promise.all([import("./NodeCommand.js"), answers()]);
    await answerFromNode(host, options, (node) => evalOnNode(node, files));
  });
}
