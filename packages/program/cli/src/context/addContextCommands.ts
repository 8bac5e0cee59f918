import { type Command, Option } from "commander";
import { beginCommand, defineLocalCommand } from "../client/beginCommand.js";
import type { CommandHost } from "../client/CommandHost.js";
import { grpcPorts, parsePort } from "../client/options.js";

const answers = () => import("./contextAnswers.js");

/** `vedette context …`: selects the node that commands use by default. @spec 50 §5.6 */
export function addContextCommands(vedette: Command, host: CommandHost): void {
  const context = vedette
    .command("context")
    .description("manage the nodes that commands use without -H, -p or VEDETTE_NODE")
    .helpCommand(false);

  const list = beginCommand(context, host, {
    name: "list",
    summary: "list all contexts; the first is in use",
    example: "context list",
  });
  defineLocalCommand(list, host, async () => (await answers()).list);

  const use = beginCommand(context, host, {
    name: "use",
    summary: "select the context that commands use",
    example: "context use testnet",
  }).argument("<name>", "name of a context");
  defineLocalCommand(use, host, async () => (await answers()).use);

  const add = beginCommand(context, host, {
    name: "add",
    summary: "add or change a context, and use it",
    example: "context add testnet --host node.example.org --read-host observer.example.org",
  })
    .argument("<name>", "name: letters, digits, `.`, `_`, `-`")
    .addOption(new Option("--host <host>", "host that accepts deploys").makeOptionMandatory())
    .addOption(portOption("--grpc-port <port>", "gRPC port of the node", grpcPorts.external))
    .addOption(portOption("--operator-port <port>", "gRPC port for deploys and proposals", grpcPorts.internal))
    .addOption(portOption("--http-port <port>", "HTTP port of that host", 40_403))
    .option("--read-host <host>", "host for queries, usually an observer (default: --host)")
    .addOption(new Option("--read-grpc-port <port>", "gRPC port for queries (default: the same)").argParser(parsePort))
    .addOption(new Option("--read-http-port <port>", "HTTP port for queries (default: the same)").argParser(parsePort));
  defineLocalCommand(add, host, async () => (await answers()).add);

  const remove = beginCommand(context, host, {
    name: "remove",
    summary: "remove a context",
    example: "context remove testnet",
  }).argument("<name>", "name of a context");
  defineLocalCommand(remove, host, async () => (await answers()).remove);
}

function portOption(flags: string, doc: string, port: number): Option {
  return new Option(flags, doc).argParser(parsePort).default(port);
}
