import { type EventKind, eventKinds } from "@vedette/api/eventKinds";
import { InvalidArgumentError, Option } from "commander";

/** Names of earlier versions; scripts and services may still use them. */
const formerNames: ReadonlyMap<string, EventKind> = new Map([
  ["chainBegun", "chainStarted"],
  ["blockForkedAway", "blockOrphaned"],
  ["deployPrinted", "deployOutput"],
]);

/** The option `--kind`, which may be repeated; it accepts the names of earlier versions, too. @spec 50 §8.1 */
export function eventKindOption(): Option {
  const parse = (text: string, before: readonly EventKind[] = []) => {
    const kind = eventKinds.find((known) => known === text) ?? formerNames.get(text);
    if (kind === undefined) throw new InvalidArgumentError(`It must be one of ${eventKinds.join(", ")}.`);
    return [...before, kind];
  };
  return new Option("--kind <kind>", "kind of events to show (repeatable)").choices(eventKinds).argParser(parse);
}
