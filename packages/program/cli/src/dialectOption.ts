import { dialectNames, findDialectName } from "@vedette/config";
import { InvalidArgumentError, Option } from "commander";

/** The option `--dialect`; it accepts the dialect names of earlier versions, too. @spec 50 §5.6 */
export function dialectOption(description: string): Option {
  const parse = (text: string) => {
    const name = findDialectName(text);
    if (name === undefined) throw new InvalidArgumentError(`Allowed choices are ${dialectNames.join(", ")}.`);
    return name;
  };
  return new Option("--dialect <name>", description).choices(dialectNames).argParser(parse);
}
