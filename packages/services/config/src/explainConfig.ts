import { existsSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { applyAliases, findUnseenNames } from "./aliases.js";
import { ConfigError, type ConfigProblem } from "./ConfigError.js";
import { configValues } from "./configValues.js";
import { findValue } from "./hocon/findValue.js";
import type { HoconValue, ObjectValue, ValueLocation } from "./hocon/hoconNode.js";
import { readHoconFile } from "./hocon/readHoconFile.js";
import { resolveHocon } from "./hocon/resolveHocon.js";
import type { KeyTypeOf } from "./Key.js";
import { type Config, type KeyName, keyNames, keyOf } from "./keys.js";
import { printValue } from "./printValue.js";
import { readValue } from "./readValue.js";
import { findUnreadKeys } from "./unknownKeys.js";

/** Where the configuration comes from. @spec 50 §5.1 */
export type ConfigSources = {
  /** The owner's home folder, where the data folder of the default profile is. */
  readonly home: string;
  /** `default` or `docker`; any other name means `default`. */
  readonly profile?: string | undefined;
  /** The file of `-c`, which must exist; default: `rnode.conf` in the data folder, if it exists; `false`: none. */
  readonly configFile?: string | false | undefined;
  /** Values of options of `run`, by key; `true` is an option without value. */
  readonly options?: ReadonlyMap<KeyName, string | boolean>;
  readonly environment: Readonly<Record<string, string | undefined>>;
};

/** A key's value, and where it comes from. */
export type ConfigEntry = {
  readonly key: KeyName;
  /** `undefined` where an optional key is not set. */
  readonly value: KeyTypeOf[keyof KeyTypeOf];
  readonly origin: ValueLocation;
};

/** All that is known of a configuration, whether it can be used or not. @spec 50 §5.1, §5.4 */
export type ExplainedConfig = {
  /** Absent where there are problems. */
  readonly config: Config | undefined;
  readonly file: string | undefined;
  /** In the order of the table of keys; those with problems are left out. */
  readonly entries: readonly ConfigEntry[];
  readonly problems: readonly ConfigProblem[];
  readonly warnings: readonly ConfigProblem[];
  readonly notices: readonly string[];
};

const configFileName = "rnode.conf";
const defaultOrigin: ValueLocation = { source: "default" };

/**
 * Reads a configuration and reports where each of its values comes from.
 *
 * @spec 50 §5.1, §5.4
 * @throws {ConfigError} where the file cannot be parsed, or its substitutions have no end
 */
export function explainConfig(sources: ConfigSources): ExplainedConfig {
  const { environment } = sources;
  const dataDir = dataDirOf(sources);
  const path = sources.configFile === false ? "" : (sources.configFile ?? join(dataDir, configFileName));
  const file = readHoconFile(path);
  // rnode would use its defaults, so that a mistyped file name starts another node.
  const isMissing = typeof sources.configFile === "string" && file === undefined;
  if (isMissing)
    throw new ConfigError({
      code: "unusable",
      problems: [{ code: "missing", text: `there is no file ${path}`, origin: { source: path } }],
    });
  const notices = file === undefined ? ["No configuration file found, using defaults"] : applyAliases(file);
  const { root, warnings } = configValues({ dataDir, file, ...sources });
  const findVariable = (name: string) => (Object.hasOwn(environment, name) ? environment[name] : undefined);
  const values = resolveHocon(root, findVariable);
  const { unknown, meaningless } = findUnreadKeys(values);
  if (meaningless.length > 0) notices.push(`keys of f1r3node that have no meaning here: ${meaningless.join(", ")}`);
  // rnode refuses unknown keys at the top level, and ignores them elsewhere (50 §5.4, §12).
  const isHarmless = ({ code }: ConfigProblem) => code === "unknownKey";
  const problems = unknown.filter((problem) => !isHarmless(problem));
  const entries = readEntries(values, problems);
  checkQuorum(entries, problems);
  problems.push(...contradictionsOf(entries));
  const shown = {
    file: file === undefined ? undefined : path,
    notices,
    problems,
    warnings: [...warnings, ...unknown.filter(isHarmless), ...findUnseenNames(values, file)],
  };
  if (problems.length > 0) return { ...shown, config: undefined, entries };
  const finished = withoutStrayDevKey(withIdentityBesideData(entries, path, notices), notices);
  const config = Object.fromEntries(finished.map(({ key, value }) => [key, value])) as Config;
  return { ...shown, config, entries: finished };
}

/** The folder where the file is looked for; `storage.data-dir` in the file does not change it. */
function dataDirOf({ options, profile, home }: ConfigSources): string {
  const chosen = options?.get("storage.data-dir");
  if (typeof chosen === "string") return chosen;
  return profile === "docker" ? "/var/lib/rnode" : join(home, ".rnode");
}

function readEntries(root: ObjectValue, problems: ConfigProblem[]): ConfigEntry[] {
  const entries: ConfigEntry[] = [];
  const brokenSections = problems.filter(({ code }) => code === "wrongType").map(({ key }) => `${key}.`);
  // A wrong value that sets several keys is reported once.
  const faulty = new Set<HoconValue>();
  for (const key of keyNames) {
    if (brokenSections.some((section) => key.startsWith(section))) continue;
    const value = findValue(root, key);
    const result = readValue(keyOf(key), value, value?.origin.source.startsWith("option ") === true);
    if ("value" in result) entries.push({ key, value: result.value, origin: value?.origin ?? defaultOrigin });
    else if (value === undefined) problems.push({ ...result, key });
    else if (!faulty.has(value)) {
      faulty.add(value);
      problems.push({ ...result, key, origin: value.origin });
    }
  }
  return entries;
}

function valueAt<K extends KeyName>(entries: readonly ConfigEntry[], key: K): Config[K] | undefined {
  return entries.find((entry) => entry.key === key)?.value as Config[K] | undefined;
}

function checkQuorum(entries: readonly ConfigEntry[], problems: ConfigProblem[]): void {
  const quorum = valueAt(entries, "casper.genesis-block-data.pos-multi-sig-quorum");
  const count = valueAt(entries, "casper.genesis-block-data.pos-multi-sig-public-keys")?.length;
  // rnode looks at this when all else is right.
  if (problems.length > 0 || quorum === undefined || count === undefined || quorum <= count) return;
  const text =
    "defaults.conf: The value 'pos-multi-sig-quorum' should be less or equal the length of " +
    `'pos-multi-sig-public-keys' (the actual values are '${quorum}' and '${count}' respectively)`;
  problems.push({ code: "outOfRange", text });
}

/** Pairs of which the first has to be less than the second, and why. */
const ordered = [
  {
    smaller: "api-server.limits.event-connections",
    greater: "api-server.limits.connections",
    mayBeEqual: false,
    why: "event subscribers could take all connections",
  },
  {
    smaller: "api-server.limits.header-timeout",
    greater: "api-server.limits.request-timeout",
    mayBeEqual: true,
    why: "the head is a part of the request",
  },
] as const satisfies readonly { readonly smaller: KeyName; readonly greater: KeyName; [fact: string]: unknown }[];

/** Limits that cannot be together. */
function contradictionsOf(entries: readonly ConfigEntry[]): ConfigProblem[] {
  const problems: ConfigProblem[] = [];
  for (const { smaller, greater, mayBeEqual, why } of ordered) {
    const [less, more] = [smaller, greater].map((key) => entries.find((entry) => entry.key === key));
    if (less === undefined || more === undefined) continue;
    const excess = Number(less.value) - Number(more.value);
    if (excess < 0 || (excess === 0 && mayBeEqual)) continue;
    const rule = mayBeEqual ? "must not be more than" : "must be less than";
    const text = `${rule} ${greater}, which is ${printValue(more)}: ${why}`;
    problems.push({ code: "outOfRange", key: smaller, text, origin: less.origin });
  }
  const required = entries.find(({ key }) => key === "api-server.keys.required");
  if (required?.value === true && valueAt(entries, "api-server.keys.file") === "") {
    const text = `has no effect without a file of keys; make one with "vedette api-key create" and name it in api-server.keys.file`;
    problems.push({ code: "missing", key: required.key, text, origin: required.origin });
  }
  return problems;
}

const identityKeys: ReadonlySet<KeyName> = new Set(["tls.certificate-path", "tls.key-path"]);

/**
 * Ours: the published observer example names certificate and key without a folder. Where they are not in the working
 * directory, which is all that rnode looks at, they belong with the data, and the node keeps its identity.
 */
function withIdentityBesideData(entries: readonly ConfigEntry[], file: string, notices: string[]): ConfigEntry[] {
  const isLoose = ({ key, value, origin }: ConfigEntry) =>
    identityKeys.has(key) && origin.source === file && typeof value === "string" && !isAbsolute(value);
  const loose = entries.filter(isLoose);
  if (loose.some(({ value }) => existsSync(String(value)))) return [...entries];
  const dataDir = valueAt(entries, "storage.data-dir") ?? "";
  return entries.map((entry) => {
    if (!loose.includes(entry)) return entry;
    const value = join(dataDir, String(entry.value));
    notices.push(`${entry.key} is not in the working directory: ${value} is used`);
    return { ...entry, value };
  });
}

function withoutStrayDevKey(entries: readonly ConfigEntry[], notices: string[]): ConfigEntry[] {
  const key: KeyName = "dev.deployer-private-key";
  if (valueAt(entries, "dev-mode") === true || valueAt(entries, key) === undefined) return [...entries];
  notices.push("Node is not in dev mode, ignoring --deployer-private-key");
  return entries.map((entry) => (entry.key === key ? { ...entry, value: undefined } : entry));
}
