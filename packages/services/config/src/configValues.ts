import type { ConfigProblem } from "./ConfigError.js";
import { dialectDefaults } from "./dialectDefaults.js";
import { dialectNames, findDialectName } from "./dialectName.js";
import { formerNames } from "./formerNames.js";
import { type HoconNode, ObjectNode, type ValueLocation } from "./hocon/hoconNode.js";
import type { Key } from "./Key.js";
import { findKeyName, type KeyName, keyNames, keyOf, longOptionOf, variableOf } from "./keys.js";
import { suggestKey } from "./unknownKeys.js";

/** The sources of values. */
export type ValueSources = {
  readonly dataDir: string;
  readonly file: ObjectNode | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly options?: ReadonlyMap<KeyName, string | boolean>;
};

const variablePrefix = "VEDETTE_";

/**
 * All values on top of each other: defaults, the file, variables of the environment, options.
 *
 * @spec 50 §5.1
 */
export function configValues({ dataDir, file, environment, options }: ValueSources): {
  readonly root: ObjectNode;
  readonly warnings: readonly ConfigProblem[];
} {
  const root = defaultValues(dataDir);
  const warnings: ConfigProblem[] = [];
  const above = [environmentValues(environment, warnings), optionValues(options ?? new Map())];
  if (file !== undefined) above.unshift(file);
  root.putAll(dialectValues(above));
  for (const values of above) root.putAll(values);
  return { root, warnings };
}

/** The defaults of the dialect that is chosen above them. */
function dialectValues(above: readonly ObjectNode[]): ObjectNode {
  const chosen = above.flatMap(({ fields }) => fields.get("dialect") ?? []).at(-1);
  const dialect = chosen?.kind === "text" ? findDialectName(chosen.text.trim()) : undefined;
  const origin = { source: `default of ${dialect ?? dialectNames[0]}` };
  const root = new ObjectNode(origin);
  for (const [name, value] of Object.entries(dialectDefaults[dialect ?? dialectNames[0]]))
    root.put(name.split("."), textNode(String(value), origin));
  return root;
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

function defaultNode(value: NonNullable<Key["default"]>, origin: ValueLocation): HoconNode {
  if (typeof value !== "object") return textNode(String(value), origin);
  if (!("sameAs" in value)) return { kind: "array", items: value.map((item) => textNode(item, origin)), origin };
  const path = value.sameAs.split(".");
  const same = { kind: "substitution", path, isOptional: false, prefix: [], origin } as const;
  return value.followedBy === undefined
    ? same
    : { kind: "join", parts: [same, textNode(value.followedBy, origin)], origin };
}

function environmentValues(environment: ValueSources["environment"], warnings: ConfigProblem[]): ObjectNode {
  const root = new ObjectNode({ source: "environment" });
  const names = new Map(keyNames.map((name) => [variableOf(name), name]));
  for (const [former, name] of formerNames) {
    // A variable with the present name counts.
    if (environment[variableOf(name)] === undefined) names.set(variableOf(former), name);
  }
  for (const [variable, text] of Object.entries(environment)) {
    if (text === undefined || !variable.startsWith(variablePrefix)) continue;
    const source = `environment variable ${variable}`;
    const name = names.get(variable);
    if (name !== undefined) root.put(name.split("."), valueOfVariable(name, text, { source }));
    else {
      const guess = findKeyName(suggestKey(keyLike(variable)) ?? "");
      if (guess !== undefined)
        warnings.push({ code: "unknownKey", text: `${source} sets no key; did you mean ${variableOf(guess)}?` });
    }
  }
  return root;
}

/** A list is written with commas. */
function valueOfVariable(name: KeyName, text: string, origin: ValueLocation): HoconNode {
  const { type } = keyOf(name);
  if (type !== "textList" && type !== "networks") return textNode(text, origin);
  if (text.trim() === "") return { kind: "array", items: [], origin };
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

function textNode(text: string, origin: ValueLocation): HoconNode {
  return { kind: "text", text, isNull: false, origin };
}
