import type { Command } from "commander";

/** A word that can follow, and what it means. */
export interface Word {
  readonly word: string;
  readonly text: string;
}

/** A choice of values that an option takes. */
export interface OptionValues {
  readonly option: string;
  readonly values: readonly string[];
}

/** The words that can follow one command. */
export interface CommandWords {
  /** Names from the program on, `config check`; empty for program text. */
  readonly path: string;
  readonly commands: readonly Word[];
  readonly options: readonly Word[];
  readonly values: readonly OptionValues[];
}

/** All commands of a program, the outermost first. */
export function commandWords(command: Command, path: readonly string[] = []): CommandWords[] {
  const help = command.createHelp();
  const commands = help.visibleCommands(command);
  const options = help.visibleOptions(command).filter(({ long }) => long !== undefined);
  return [
    {
      path: path.join(" "),
      commands: commands.map((one) => ({ word: one.name(), text: oneLine(one.description()) })),
      options: options.map(({ long, description }) => ({ word: long!, text: oneLine(description) })),
      values: options
        .filter(({ argChoices }) => argChoices !== undefined)
        .map(({ long, argChoices }) => ({ option: long!, values: argChoices! })),
    },
    ...commands.flatMap((one) => commandWords(one, [...path, one.name()])),
  ];
}

const longestText = 60;

function oneLine(text: string): string {
  const line = text.replaceAll(/\s+/g, " ");
  return line.length <= longestText ? line : `${line.slice(0, longestText - 1)}…`;
}
