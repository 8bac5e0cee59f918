import { type KeyName, keyNames, keyOf, longOptionOf, variableOf } from "./keys.js";

/**
 * All settings with their defaults, as the text of a configuration file in which everything is commented out.
 *
 * @spec 50 §5.2, §5.3
 */
export function configTemplate(): string {
  const lines = [
    "# Settings of a node, each with its default. Take the sign before a line away to change it.",
    "# Options of `vedette run` override this file, and so do variables of the environment.",
  ];
  let section = "";
  for (const name of keyNames) {
    const first = name.includes(".") ? name.split(".", 1)[0]! : "";
    if (first !== section) lines.push("", "");
    else lines.push("");
    section = first;
    lines.push(`# ${keyOf(name).doc}`, `# ${whereElse(name)}`, `# ${name} = ${defaultOf(name)}`);
  }
  return lines.join("\n");
}

function whereElse(name: KeyName): string {
  const option = longOptionOf(name);
  return option === undefined ? variableOf(name) : `${variableOf(name)}, --${option}`;
}

function defaultOf(name: KeyName): string {
  const { default: value, type } = keyOf(name);
  if (value === undefined) return type.startsWith("optional") ? "null" : '"…"';
  if (typeof value === "string") return JSON.stringify(value);
  if (typeof value !== "object") return String(value);
  if ("sameAs" in value)
    return `\${${value.sameAs}}${value.followedBy === undefined ? "" : JSON.stringify(value.followedBy)}`;
  return `[${value.map((item) => JSON.stringify(item)).join(", ")}]`;
}
