import type { ConfigProblem } from "./ConfigError.js";
import { f1r3nodeNames } from "./f1r3nodeNames.js";
import { formerNames } from "./formerNames.js";
import { findValue } from "./hocon/findValue.js";
import type { HoconNode, ObjectNode, ObjectValue } from "./hocon/hoconNode.js";
import type { KeyName } from "./keys.js";

/**
 * Names of the published observer example that rnode ignores, and what their author meant by them.
 *
 * @spec 50 §5.4
 */
export const aliases: ReadonlyMap<string, KeyName> = new Map([
  ["api-server.port", "api-server.port-http"],
  ["api-server.port-kademlia", "peers-discovery.port"],
]);

/** Whether a key is known by this other name. @spec 50 §5.4, 61 §18.1 */
export function isOtherName(name: string): boolean {
  return aliases.has(name) || f1r3nodeNames.has(name) || formerNames.has(name);
}

/**
 * Gives the keys that are meant the values of their other names, where a file does not set them themselves.
 *
 * @returns notices for the owner of the file
 */
export function applyAliases(file: ObjectNode): string[] {
  const notices: string[] = [];
  for (const [alias, name] of [...aliases, ...f1r3nodeNames, ...formerNames]) {
    const values = valuesAt(file, alias.split("."));
    if (values.length === 0) continue;
    if (valuesAt(file, name.split(".")).length > 0) {
      notices.push(`${alias} is not looked at, since ${name} is set`);
      continue;
    }
    for (const value of values) file.put(name.split("."), value);
    // Names of f1r3node and of earlier versions are no mistakes.
    if (aliases.has(alias)) notices.push(`${alias} is taken as ${name}`);
  }
  return notices;
}

/** Keys with earlier names that come with a substitution, where {@link applyAliases} does not see them. */
export function findUnseenNames(root: ObjectValue, file: ObjectNode | undefined): ConfigProblem[] {
  return [...formerNames].flatMap(([former, name]) => {
    const value = findValue(root, former);
    if (value === undefined || file === undefined || valuesAt(file, former.split(".")).length > 0) return [];
    const text = `is not read from a substitution under this earlier name; write ${name}`;
    return [{ code: "unknownKey", key: former, text, origin: value.origin }];
  });
}

function valuesAt(object: ObjectNode, [name = "", ...rest]: readonly string[]): readonly HoconNode[] {
  const values = object.fields.get(name) ?? [];
  if (rest.length === 0) return values;
  return values.flatMap((value) => (value.kind === "object" ? valuesAt(value, rest) : []));
}
