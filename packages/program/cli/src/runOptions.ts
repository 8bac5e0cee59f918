import { homedir } from "node:os";
import {
  type ConfigSources,
  type Key,
  type KeyName,
  keyNames,
  keyOf,
  longOptionOf,
  offOptionOf,
} from "@vedette/config";
import { type Command, Option } from "commander";
import { CommandError } from "./client/CommandError.js";

/** Adds an option for every key of the configuration that has one, or for these. @spec 50 §5.3, §5.6 */
export function addRunOptions(command: Command, names: readonly KeyName[] = keyNames): Command {
  for (const name of names) {
    const { option, optionHasValue = false, offOption, type, doc, default: value } = keyOf(name);
    if (option === undefined) continue;
    const isShown = typeof value !== "object" && value !== undefined && value !== false && value !== "";
    const text = isShown ? `${doc} (default: ${String(value)})` : doc;
    const isAlone = type === "flag" && !optionHasValue;
    const shown = new Option(isAlone ? option : `${option} <${valueNameOf(keyOf(name))}>`, text);
    // f1r3node hides these options too, as experiments; the reference page of the keys has them.
    command.addOption(shown.hideHelp(name.includes(".advanced.")));
    if (offOption !== undefined) command.addOption(new Option(offOption, `opposite of ${option}`));
  }
  return command;
}

const valueNames: Readonly<Partial<Record<Key["type"], string>>> = {
  ...{
    int: "number",
    optionalInt: "number",
    long: "number",
    optionalLong: "number",
    decimal: "number",
    float: "number",
  },
  ...{
    path: "path",
    optionalPath: "path",
    peer: "uri",
    logLevels: "levels",
    flag: "boolean",
    stateHistory: "retention",
  },
  ...{ text: "name", optionalText: "name", dialect: "name", port: "port", duration: "duration" },
};

/** How help calls the value of an option. */
function valueNameOf({ type, form, isSecret = false }: Key): string {
  if (isSecret) return "hex";
  if (form === "host") return "host";
  return valueNames[type] ?? "value";
}

/** The values of the options that were given, by key. */
export function runOptionValues(given: Readonly<Record<string, unknown>>): Map<KeyName, string | boolean> {
  const values = new Map<KeyName, string | boolean>();
  for (const name of keyNames) {
    const long = longOptionOf(name);
    const value = long === undefined ? undefined : givenBy(given, long);
    if (typeof value === "string" || typeof value === "boolean") values.set(name, value);
    const off = offOptionOf(name);
    // As with f1r3node, the setting is off if both options are given.
    if (off !== undefined && given[attributeOf(off)] === true) values.set(name, false);
  }
  return values;
}

/** Returns the value of an option: commander treats `--no-x` as the opposite of an option `--x`. */
function givenBy(given: Readonly<Record<string, unknown>>, long: string): unknown {
  if (!long.startsWith("no-")) return given[attributeOf(long)];
  return given[attributeOf(long.slice("no-".length))] === false ? true : undefined;
}

/** The options given to a command. */
export type GivenOptions = Readonly<Record<string, string | boolean>>;

/** The text of an option; `undefined` where it was not given. */
export function textOf(given: GivenOptions, name: string): string | undefined {
  const value = given[name];
  return typeof value === "string" ? value : undefined;
}

/** A count that an option gives; `undefined` where it was not given. @throws {CommandError} `badArgument` */
export function countOf(given: GivenOptions, option: `--${string}`, most: number, least = 1): number | undefined {
  const text = textOf(given, attributeOf(option.slice(2)));
  if (text === undefined) return undefined;
  const count = Number(text);
  if (/^[0-9]{1,16}$/.test(text) && count >= least && count <= most) return count;
  throw new CommandError({ code: "badArgument", name: option, expected: `a number from ${least} to ${most}` });
}

/** Where the configuration comes from for a command with `--config`, `--profile` and options of the configuration. */
export function configSourcesOf(given: GivenOptions): ConfigSources {
  return {
    home: homedir(),
    profile: textOf(given, "profile"),
    configFile: textOf(given, "config"),
    options: runOptionValues(given),
    environment: { ...process.env },
  };
}

/**
 * Removes arguments for the Java machine of rnode; rnode's start script takes them out at any place.
 *
 * @spec 50 §5.6
 */
export function withoutJavaArguments(args: readonly string[]): string[] {
  return args.filter((arg) => !/^(-D|-J|-XX|-agentlib)/.test(arg));
}

/** Commander's name for an option: camel case. */
function attributeOf(long: string): string {
  return long.replace(/-([a-z])/g, (_match, letter: string) => letter.toUpperCase());
}
