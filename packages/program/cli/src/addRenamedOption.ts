import { type Command, Option } from "commander";

/**
 * Adds an option, and accepts it under its name of earlier versions, which help does not show.
 *
 * @param earlierFlags with the same kind of value as the option
 */
export function addRenamedOption(command: Command, option: Option, earlierFlags: string): Command {
  const earlier = new Option(earlierFlags).hideHelp();
  earlier.attributeName = () => option.attributeName();
  if (option.parseArg !== undefined) earlier.parseArg = option.parseArg;
  return command.addOption(option).addOption(earlier);
}
