import { type Command, Option } from "commander";
import { beginCommand, defineLocalCommand } from "../client/beginCommand.js";
import type { CommandHost } from "../client/CommandHost.js";
import { grpcPorts, parsePort } from "../client/options.js";

const answers = () => import("./contextAnswers.js");

/** `vedette context …`: which node commands use when they are not told. @spec 50 §5.6 */
export function addContextCommands(vedette: Command, host: CommandHost): void {
  const context = vedette
    .command("context")
    .description("list, choose, add the nodes that commands use unless -H, -p or VEDETTE_NODE name one")
    .helpCommand(false);

  const list = beginCommand(context, host, {
    name: "list",
    summary: "list all; the first is in use",
    example: "context list",
  });
  defineLocalCommand(list, host, async () => (await answers()).list);

  const use = beginCommand(context, host, {
    name: "use",
    summary: "have commands use one",
    example: "context use testnet",
  }).argument("<name>", "one of the list");
  defineLocalCommand(use, host, async () => (await answers()).use);

  const add = beginCommand(context, host, {
    name: "add",
    summary: "add a node, or change it, and use it",
    example: "context add testnet --host node.example.org --read-host observer.example.org",
  })
    .argument("<name>", "letters, digits, `.`, `_`, `-`")
    .addOption(new Option("--host <host>", "takes deploys").makeOptionMandatory())
    .addOption(portOption("--grpc-port <port>", "its gRPC port", grpcPorts.external))
    .addOption(portOption("--operator-port <port>", "its gRPC port for deploys and proposals", grpcPorts.internal))
    .addOption(portOption("--http-port <port>", "its HTTP port", 40_403))
    .option("--read-host <host>", "answers questions, an observer as a rule (default: the same)")
    .addOption(new Option("--read-grpc-port <port>", "its gRPC port (default: the same)").argParser(parsePort))
    .addOption(new Option("--read-http-port <port>", "its HTTP port (default: the same)").argParser(parsePort));
  defineLocalCommand(add, host, async () => (await answers()).add);

  const remove = beginCommand(context, host, {
    name: "remove",
    summary: "take one out of the list",
    example: "context remove testnet",
  }).argument("<name>", "one of the list");
  defineLocalCommand(remove, host, async () => (await answers()).remove);
}

function portOption(flags: string, doc: string, port: number): Option {
  return new Option(flags, doc).argParser(parsePort).default(port);
}
