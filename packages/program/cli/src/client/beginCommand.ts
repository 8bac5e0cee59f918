import type { Command } from "commander";
import type { CommandAnswer } from "./CommandAnswer.js";
import type { CommandHost } from "./CommandHost.js";
import { hideKeys } from "./hideKeys.js";
import type { NodeCommand, Options } from "./NodeCommand.js";
import { addNodeOptions, grpcPorts } from "./options.js";

/** The name and the help texts of a command. */
export interface CommandTexts {
  readonly name: string;
  readonly aliases?: readonly string[];
  readonly summary: string;
  readonly example: string;
}

/** Begins a command: its words, an example in its help, and errors that repeat no key. */
export function beginCommand(parent: Command, host: CommandHost, words: CommandTexts): Command {
  const { name, aliases = [], summary, example } = words;
  const command = parent.command(name).aliases([...aliases]);
  return command
    .description(summary)
    .addHelpText("after", `\nExample:\n  vedette ${example}`)
    .configureOutput({
      // Commander's messages repeat the typed text, and that may be a key.
      outputError: (text, write) => {
        const message = hideKeys(text);
        // Where the command line is wrong, it may not have been read as far as --json.
        if (host.args.includes("--json"))
          host.print(JSON.stringify({ error: { code: "usage", message: message.trim() } }));
        else write(message);
      },
    });
}

/** Begins a command that talks to a node. */
export function beginNodeCommand(parent: Command, host: CommandHost, port: number, words: CommandTexts): Command {
  return addNodeOptions(beginCommand(parent, host, words), port);
}

/** The action of a command; it may have one argument, and further ones. */
export type NodeRun = (
  command: NodeCommand,
  argument: string | undefined,
  further: readonly string[],
) => Promise<CommandAnswer>;

/** As {@link NodeRun}, without a node. */
export type LocalRun = (host: CommandHost, options: Options, argument: string | undefined) => Promise<CommandAnswer>;

/** Sets the action of a command; its modules are loaded when it runs. */
export function runsOnNode(command: Command, host: CommandHost, load: () => Promise<NodeRun>): void {
  command.action(async (...given: unknown[]) => {
    const [{ answerFromNode }, { withNode }, run] = await Promise.all([
      import("./NodeCommand.js"),
      import("../context/nodePlace.js"),
      load(),
    ]);
    const chosen = () => withNode(command, host, isOperators(command) ? "writes" : "reads");
    await answerFromNode(
      host,
      command.opts(),
      (node) => run(node, argumentOf(command, given), furtherOf(given)),
      chosen,
    );
  });
}

/** As {@link runsOnNode}, without a node. */
export function defineLocalCommand(command: Command, host: CommandHost, load: () => Promise<LocalRun>): void {
  command.option("--json", "print one JSON value").action(async (...given: unknown[]) => {
    const [{ answerWith }, run] = await Promise.all([import("./CommandAnswer.js"), load()]);
    const options = command.opts<Options>();
    await answerWith(host, options["json"] === true, () => run(host, options, argumentOf(command, given)));
  });
}

/** Whether a command uses the operator's port by default. */
function isOperators(command: Command): boolean {
  return command.options.find(({ long }) => long === "--port")?.defaultValue === grpcPorts.internal;
}

/** Returns the arguments after the first of a command that takes several. */
function furtherOf([, further]: readonly unknown[]): readonly string[] {
  return Array.isArray(further) ? further.map(String) : [];
}

function argumentOf(command: Command, given: readonly unknown[]): string | undefined {
  const [first] = given;
  return command.registeredArguments.length > 0 && first !== undefined ? String(first) : undefined;
}
