import { join } from "node:path";
import { ConfigError, type ConfigProblem, printProblem } from "./ConfigError.js";
import { type HoconNode, type HoconValue, ObjectNode, type ObjectValue, type Origin } from "./hocon/hoconNode.js";
import { readHoconFile } from "./hocon/readHoconFile.js";
import { resolveHocon } from "./hocon/resolveHocon.js";
import { type Config, findKeyName, type Key, type KeyName, keyNames, keyOf, longOptionOf, variableOf } from "./keys.js";
import { readValue } from "./readValue.js";
import { findUnknownKeys, suggestKey } from "./unknownKeys.js";

/** Where the configuration comes from; nothing else is looked at. @spec 50 §5.1 */
export type ConfigSources = {
  /** The owner's home folder, where the data folder of the default profile is. */
  readonly home: string;
  /** `default` or `docker`; any other name means `default`. */
  readonly profile?: string | undefined;
  /** What `-c` says; else it is `rnode.conf` in the data folder. */
  readonly configFile?: string | undefined;
  /** Values of options of `run`, by key; `true` is an option without value. */
  readonly options?: ReadonlyMap<KeyName, string | boolean>;
  readonly environment: Readonly<Record<string, string | undefined>>;
};

/** A configuration that can be used, and what its owner should be told. @spec 50 §5.1, §5.4 */
export type ReadConfig = {
  readonly config: Config;
  /** The file that was read; `undefined` where there is none. */
  readonly file: string | undefined;
  /** Plain facts, such as that there is no file. */
  readonly notices: readonly string[];
  /** What is probably a mistake: unknown keys. */
  readonly warnings: readonly string[];
};

const configFileName = "rnode.conf";
const variablePrefix = "VEDETTE_";

/**
 * Reads the configuration: options stand above variables of the environment, those above the file,
 * and that above the built-in defaults, key by key. Substitutions see the result of all.
 *
 * @spec 50 §5.1, §5.4
 * @throws {ConfigError} with every problem that was found, each with its key and place
 */
export function readConfig(sources: ConfigSources): ReadConfig {
  const dataDir = dataDirOf(sources);
  const path = sources.configFile ?? join(dataDir, configFileName);
  const root = defaultValues(dataDir);
  const notices: string[] = [];
  const warnings: string[] = [];
  const file = readHoconFile(path);
  if (file === undefined) notices.push("No configuration file found, using defaults");
  else root.putAll(file);
  root.putAll(environmentValues(sources.environment, warnings));
  root.putAll(optionValues(sources.options ?? new Map()));
  const { environment } = sources;
  const findVariable = (name: string) => (Object.hasOwn(environment, name) ? environment[name] : undefined);
  const config = typedValues(resolveHocon(root, findVariable), warnings);
  checkQuorum(config);
  const shown = withoutStrayDevKey(config, notices);
  return { config: shown, file: file === undefined ? undefined : path, notices, warnings };
}

/** The folder where the file is looked for; `storage.data-dir` in the file does not change it. */
function dataDirOf({ options, profile, home }: ConfigSources): string {
  const chosen = options?.get("storage.data-dir");
  if (typeof chosen === "string") return chosen;
  return profile === "docker" ? "/var/lib/rnode" : join(home, ".rnode");
}

function defaultValues(dataDir: string): ObjectNode {
  const origin = { source: "default" };
  const root = new ObjectNode(origin);
  for (const name of keyNames) {
    const value = name === "default-data-dir" ? dataDir : keyOf(name).default;
    if (value !== undefined) root.put(name.split("."), defaultNode(value, origin));
  }
  return root;
}

function defaultNode(value: NonNullable<Key["default"]>, origin: Origin): HoconNode {
  if (typeof value !== "object") return textNode(String(value), origin);
  if (!("sameAs" in value)) return { kind: "array", items: value.map((item) => textNode(item, origin)), origin };
  const path = value.sameAs.split(".");
  const same = { kind: "substitution", path, isOptional: false, prefix: [], origin } as const;
  return value.followedBy === undefined
    ? same
    : { kind: "join", parts: [same, textNode(value.followedBy, origin)], origin };
}

function environmentValues(environment: ConfigSources["environment"], warnings: string[]): ObjectNode {
  const root = new ObjectNode({ source: "environment" });
  const names = new Map(keyNames.map((name) => [variableOf(name), name]));
  for (const [variable, text] of Object.entries(environment)) {
    if (text === undefined || !variable.startsWith(variablePrefix)) continue;
    const origin = { source: `environment variable ${variable}` };
    const name = names.get(variable);
    if (name !== undefined) root.put(name.split("."), valueOfVariable(name, text, origin));
    else {
      const guess = findKeyName(suggestKey(keyLike(variable)) ?? "");
      if (guess !== undefined) warnings.push(`${origin.source} sets no key; did you mean ${variableOf(guess)}?`);
    }
  }
  return root;
}

/** A list is written with commas. */
function valueOfVariable(name: KeyName, text: string, origin: Origin): HoconNode {
  if (keyOf(name).type !== "textList") return textNode(text, origin);
  const items = text.split(",").map((item) => textNode(item.trim(), origin));
  return { kind: "array", items, origin };
}

function keyLike(variable: string): string {
  const text = variable.slice(variablePrefix.length).toLowerCase();
  const section = keyNames
    .map((name) => name.slice(0, Math.max(0, name.lastIndexOf("."))))
    .filter((name) => name !== "" && text.startsWith(`${name.replace(/[.-]/g, "_")}_`))
    .reduce((longest, name) => (name.length > longest.length ? name : longest), "");
  const rest = (section === "" ? text : text.slice(section.length + 1)).replaceAll("_", "-");
  return section === "" ? rest : `${section}.${rest}`;
}

function optionValues(options: ReadonlyMap<KeyName, string | boolean>): ObjectNode {
  const root = new ObjectNode({ source: "options" });
  for (const [name, value] of options) {
    const origin = { source: `option --${longOptionOf(name) ?? name}` };
    const { alsoSets } = keyOf(name);
    for (const key of alsoSets === undefined ? [name] : [name, alsoSets]) {
      root.put(key.split("."), textNode(String(value), origin));
    }
  }
  return root;
}

function textNode(text: string, origin: Origin): HoconNode {
  return { kind: "text", text, isNull: false, origin };
}

function typedValues(root: ObjectValue, warnings: string[]): Config {
  const problems: ConfigProblem[] = [];
  const unknown = findUnknownKeys(root);
  for (const problem of unknown) {
    // The reference refuses unknown keys at the top level, and ignores them elsewhere (50 §5.4, §12).
    if (problem.code === "unknownKey") warnings.push(printProblem(problem));
    else problems.push(problem);
  }
  const config: Partial<Record<KeyName, unknown>> = {};
  const brokenSections = problems.filter(({ code }) => code === "wrongType").map(({ key }) => `${key}.`);
  // A value that stands for several keys is one fault.
  const faulty = new Set<HoconValue>();
  for (const name of keyNames) {
    if (brokenSections.some((section) => name.startsWith(section))) continue;
    const value = findValue(root, name);
    const result = readValue(keyOf(name), value, value?.origin.source.startsWith("option ") === true);
    if ("value" in result) config[name] = result.value;
    else if (value === undefined) problems.push({ ...result, key: name });
    else if (!faulty.has(value)) {
      faulty.add(value);
      problems.push({ ...result, key: name, origin: value.origin });
    }
  }
  if (problems.length > 0) throw new ConfigError(problems);
  return config as Config;
}

function findValue(root: ObjectValue, name: KeyName): HoconValue | undefined {
  let value: HoconValue | undefined = root;
  for (const part of name.split(".")) value = value?.kind === "object" ? value.fields.get(part) : undefined;
  return value;
}

function checkQuorum(config: Config): void {
  const quorum = config["casper.genesis-block-data.pos-multi-sig-quorum"];
  const count = config["casper.genesis-block-data.pos-multi-sig-public-keys"].length;
  if (quorum <= count) return;
  const text =
    "defaults.conf: The value 'pos-multi-sig-quorum' should be less or equal the length of " +
    `'pos-multi-sig-public-keys' (the actual values are '${quorum}' and '${count}' respectively)`;
  throw new ConfigError([{ code: "outOfRange", text }]);
}

function withoutStrayDevKey(config: Config, notices: string[]): Config {
  const name = "dev.deployer-private-key";
  if (config["dev-mode"] || config[name] === undefined) return config;
  notices.push("Node is not in dev mode, ignoring --deployer-private-key");
  return { ...config, [name]: undefined };
}
