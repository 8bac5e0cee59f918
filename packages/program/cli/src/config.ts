import { homedir } from "node:os";
import { printJson } from "@vedette/api";
import {
  type ConfigEntry,
  ConfigError,
  type ConfigProblem,
  configTemplate,
  type ExplainedConfig,
  explainConfig,
  keyNames,
  keyOf,
  longOptionOf,
  printOrigin,
  printProblem,
  printValue,
  variableOf,
} from "@vedette/config";
import { printable } from "@vedette/config/log";
import { checkKeyFiles, type KeyFileNote } from "@vedette/node/machine";
import { keyEnvironment } from "./client/privateKey.js";
import { exitCodes } from "./exitCodes.js";
import { runOptionValues } from "./runOptions.js";

type Options = Readonly<Record<string, string | boolean>>;

/** `vedette config check <file>`. @returns the exit code @spec 50 §5.1, §5.4 */
export function checkConfig(file: string, options: Options, print: (text: string) => void): number {
  const explained = explain(file, options);
  const isUsable = explained.problems.length === 0;
  const entries =
    options["changed"] === true ? explained.entries.filter((entry) => !isDefault(entry)) : explained.entries;
  if (options["json"] === true) print(jsonText(file, explained, entries));
  else print(textOf(file, explained, entries).map(printable).join("\n"));
  return isUsable ? exitCodes.success : exitCodes.failure;
}

/** `vedette config show`. @spec 50 §5.3 */
export function showConfig(json: boolean): string {
  if (!json) return configTemplate();
  const rows = keyNames.map((name) => {
    const { type, doc, isSecret = false } = keyOf(name);
    const option = longOptionOf(name);
    return {
      key: name,
      type,
      default: defaultText(name),
      option: option === undefined ? null : `--${option}`,
      variable: variableOf(name),
      isSecret,
      doc,
    };
  });
  return JSON.stringify(rows, undefined, 2);
}

function defaultText(name: (typeof keyNames)[number]): string | null {
  const value = keyOf(name).default;
  if (value === undefined) return null;
  if (typeof value !== "object") return String(value);
  if (!("sameAs" in value)) return value.join(",");
  return `\${${value.sameAs}}${value.followedBy ?? ""}`;
}

function explain(file: string, options: Options): ExplainedConfig {
  const nothing = { config: undefined, file: undefined, entries: [], warnings: [], notices: [] };
  try {
    return withKeyFiles(
      explainConfig({
        home: homedir(),
        profile: typeof options["profile"] === "string" ? options["profile"] : undefined,
        configFile: file,
        options: runOptionValues(options),
        environment: process.env,
      }),
    );
  } catch (error) {
    if (error instanceof ConfigError) return { ...nothing, problems: error.failure.problems };
    throw error;
  }
}

/** Adds the messages that a start would report about the named files. */
function withKeyFiles(explained: ExplainedConfig): ExplainedConfig {
  const { config, entries } = explained;
  if (config === undefined) return explained;
  const { problems, warnings } = checkKeyFiles(config, process.env[keyEnvironment.password]);
  const problemOf = ({ key, text }: KeyFileNote): ConfigProblem => {
    const origin = entries.find((entry) => entry.key === key)?.origin;
    return { code: "unusableFile", key, text, ...(origin === undefined ? {} : { origin }) };
  };
  return {
    ...explained,
    problems: [...explained.problems, ...problems.map(problemOf)],
    warnings: [...explained.warnings, ...warnings.map(problemOf)],
  };
}

function isDefault({ origin }: ConfigEntry): boolean {
  return /^default( of |$)/.test(origin.source);
}

function textOf(file: string, explained: ExplainedConfig, entries: readonly ConfigEntry[]): string[] {
  const { problems, warnings, notices } = explained;
  const values = entries.map((entry) => [`${entry.key} = ${printValue(entry)}`, printOrigin(entry.origin)] as const);
  const width = Math.min(80, Math.max(0, ...values.map(([value]) => value.length)));
  const section = (title: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : ["", title, ...lines.map((line) => `  ${line}`)];
  return [
    ...values.map(([value, origin]) => `${value.padEnd(width)}  # ${origin}`),
    ...section("To know:", notices),
    ...section("Warnings:", warnings.map(printProblem)),
    ...section("Errors:", problems.map(printProblem)),
    "",
    problems.length === 0
      ? `${file} can be used: ${countText(explained.entries)}.`
      : `${file} cannot be used: ${problems.length} ${problems.length === 1 ? "error" : "errors"}.`,
  ];
}

function countText(entries: readonly ConfigEntry[]): string {
  const changed = entries.filter((entry) => !isDefault(entry)).length;
  return `${entries.length} settings, ${changed} of them not the defaults`;
}

function jsonText(file: string, explained: ExplainedConfig, entries: readonly ConfigEntry[]): string {
  const { problems, warnings, notices } = explained;
  const shown = ({ code, key, text, origin }: ConfigProblem) => ({
    code,
    key: key ?? null,
    text,
    origin: origin === undefined ? null : { ...origin },
  });
  return printJson({
    file,
    isUsable: problems.length === 0,
    values: entries.map(({ key, value, origin }) => ({
      key,
      value: keyOf(key).isSecret === true ? null : value === undefined ? null : plain(value),
      isSecret: keyOf(key).isSecret === true,
      isSet: value !== undefined && value !== "",
      origin: { ...origin },
    })),
    errors: problems.map(shown),
    warnings: warnings.map(shown),
    notices: [...notices],
  });
}

function plain(value: NonNullable<ConfigEntry["value"]>) {
  return Array.isArray(value) ? [...value] : (value as string | number | bigint | boolean);
}
