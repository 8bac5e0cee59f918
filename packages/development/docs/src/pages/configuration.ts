import { type Key, type KeyName, keyNames, keyOf, variableOf } from "@vedette/config";
import { code, page, table } from "../markdown.js";

/** Every key of the configuration. @spec 50 §5.3 */
export function configurationPage(): string {
  const sections = new Map<string, KeyName[]>();
  for (const name of keyNames) {
    const section = name.includes(".") ? name.slice(0, name.indexOf(".")) : "";
    sections.set(section, [...(sections.get(section) ?? []), name]);
  }
  return page(
    "Configuration keys",
    "`packages/services/config/src/keys.ts`",
    "For operators. [Operate a node](../how-to/operations.md#configuration) explains the sources of values and their order. `vedette config show` prints these keys as a new file.",
    ...[...sections].flatMap(([section, names]) => [
      `## ${section === "" ? "Without a section" : section}`,
      table(["key", "type", "default", "option of `run`, variable", "what"], names.map(row)),
    ]),
  );
}

function row(name: KeyName): string[] {
  const key = keyOf(name);
  const elsewhere = [key.option, key.offOption, variableOf(name)].filter((one) => one !== undefined).map(code);
  return [code(name), key.type, defaultText(key), elsewhere.join(" "), `${key.doc}${boundsText(key)}`];
}

function defaultText({ default: value }: Key): string {
  if (value === undefined) return "–";
  if (typeof value !== "object") return value === "" ? "empty" : code(String(value));
  if (!("sameAs" in value)) return value.length === 0 ? "none" : value.map((one) => code(one)).join(", ");
  return `that of ${code(value.sameAs)}${value.followedBy === undefined ? "" : ` and ${code(value.followedBy)}`}`;
}

function boundsText({ min, max }: Key): string {
  if (min === undefined && max === undefined) return "";
  if (max === undefined) return `; at least ${min}`;
  return min === undefined ? `; at most ${max}` : `; from ${min} to ${max}`;
}
