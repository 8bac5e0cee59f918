import { homedir } from "node:os";
import { exitCodes, exitCodeTexts, vedetteProgram } from "@vedette/cli";
import type { Command } from "commander";
import { page, table } from "../markdown.js";

const columns = 110;

/** Renders the help of every command. @spec 50 §5.6 */
export function commandsPage(): string {
  const program = vedetteProgram();
  const codes = Object.entries(exitCodes).map(([name, number]) => [
    String(number),
    exitCodeTexts[name as keyof typeof exitCodes],
  ]);
  return page(
    "Commands",
    "the commands of `packages/program/cli/src/vedetteProgram.ts`",
    "## Exit codes",
    table(["code", "when"], codes),
    "## vedette",
    helpText(program),
    ...commandsBelow(program, "vedette").flatMap(([path, command]) => [`## ${path}`, helpText(command)]),
  );
}

function commandsBelow(parent: Command, path: string): [string, Command][] {
  return parent.commands.flatMap((command): [string, Command][] => {
    const own = `${path} ${command.name()}`;
    return [[own, command], ...commandsBelow(command, own)];
  });
}

function helpText(command: Command): string {
  let text = "";
  command.configureOutput({
    writeOut: (part) => {
      text += part;
    },
    getOutHelpWidth: () => columns,
    getOutHasColors: () => false,
  });
  command.outputHelp();
  return `\`\`\`text\n${text.replaceAll(homedir(), "~").trimEnd()}\n\`\`\``;
}
