import { aliases, isOtherName } from "./aliases.js";
import type { ConfigProblem } from "./ConfigError.js";
import { withoutMeaning } from "./f1r3nodeNames.js";
import type { ObjectValue } from "./hocon/hoconNode.js";
import { findKeyName, keyNames } from "./keys.js";

// Keys that people write for others, where the spelling alone does not suggest the right one.
const meant: ReadonlyMap<string, string> = new Map([["peers-discovery.host", "protocol-server.host"]]);

const sections: ReadonlySet<string> = new Set(
  [...keyNames, ...withoutMeaning.keys()].flatMap((name) => {
    const parts = name.split(".");
    return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join("."));
  }),
);

/** Keys of a file that have no effect. */
export interface UnreadKeys {
  /** Each with a guess at what was meant. */
  readonly unknown: readonly ConfigProblem[];
  /** Those that f1r3node reads, and that have no meaning here. @spec 61 §18.1 */
  readonly meaningless: readonly string[];
}

/**
 * Finds the keys that have no effect.
 *
 * @spec 50 §5.4
 */
export function findUnreadKeys(root: ObjectValue): UnreadKeys {
  const unknown: ConfigProblem[] = [];
  const meaningless: string[] = [];
  const visit = (object: ObjectValue, prefix: string): void => {
    for (const [name, value] of object.fields) {
      const key = `${prefix}${name}`;
      if (sections.has(key)) {
        if (value.kind === "object") visit(value, `${key}.`);
        else
          unknown.push({
            code: "wrongType",
            key,
            text: "must be a section with keys of its own",
            origin: value.origin,
          });
      } else if (withoutMeaning.has(key)) meaningless.push(key);
      else if (findKeyName(key) === undefined && !isOtherName(key))
        unknown.push({ code: "unknownKey", key, text: `there is no such key${hintFor(key)}`, origin: value.origin });
    }
  };
  visit(root, "");
  return { unknown, meaningless };
}

function hintFor(key: string): string {
  const guess = suggestKey(key);
  return guess === undefined ? "" : `; did you mean ${guess}?`;
}

/** The key that is spelt most alike; `undefined` where none is near. @spec 50 §5.4 */
export function suggestKey(name: string): string | undefined {
  const known = meant.get(name) ?? aliases.get(name);
  if (known !== undefined) return known;
  const limit = Math.max(2, Math.floor(name.length / 5));
  let best: string | undefined;
  let bestDistance = limit + 1;
  for (const candidate of [...keyNames, ...sections]) {
    if (Math.abs(candidate.length - name.length) >= bestDistance) continue;
    const distance = editDistance(name, candidate);
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance];
  }
  return best ?? namedAlike(name);
}

/** The one key of another section that has the same last name: it was written in the wrong place. */
function namedAlike(name: string): string | undefined {
  const last = name.slice(name.lastIndexOf(".") + 1);
  const alike = keyNames.filter((candidate) => candidate.endsWith(`.${last}`));
  return alike.length === 1 ? alike[0] : undefined;
}

/** How many characters have to be put in, left out or replaced to make one text of the other. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, row[j]! + 1, next[j - 1]! + 1));
    }
    row = next;
  }
  return row[b.length]!;
}
