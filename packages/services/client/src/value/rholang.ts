import type { RhoInput } from "./RhoValue.js";
import { rholangText } from "./rholangText.js";
import { ValueError } from "./ValueError.js";

/** A program, or a part of one, that may be put into another as it is. Made by {@link rholang}. */
export class RholangTerm {
  readonly text: string;

  /** @throws {ValueError} `unfinished` where the text ends inside a literal or a comment */
  constructor(text: string) {
    this.text = finished(text, scan(text, "code"));
  }

  toString(): string {
    return this.text;
  }
}

/**
 * Writes a program with values in it, none of which can become anything but a value:
 *
 * ```ts
 * rholang`new return in { return!(${["any", "text"]}) }`
 * ```
 *
 * The text is used unchanged, escapes included; only a backtick is written `` \` ``. Values are written by {@link
 * rholangText}; a {@link RholangTerm} is put in as it is.
 *
 * @spec 20 §2.4
 * @throws {ValueError} `notInCode` if a value is inside a literal or a comment; for an input that is not a value
 */
export function rholang(template: TemplateStringsArray, ...values: readonly (RhoInput | RholangTerm)[]): RholangTerm {
  let text = "";
  let place: Place = "code";
  template.raw.forEach((raw, index) => {
    // The character that a template cannot contain otherwise.
    const part = raw.replace(/\\([`$])/g, "$1");
    place = scan(part, place);
    text = joined(text, part);
    if (index >= values.length) return;
    if (place !== "code") throw new ValueError({ code: "notInCode", place: placeNames[place] });
    const value = values[index]!;
    text = joined(text, value instanceof RholangTerm ? value.text : rholangText(value));
  });
  return new RholangTerm(text);
}

type Place = "code" | "string" | "uri" | "line" | "block";

const placeNames = {
  code: "code",
  string: "a text",
  uri: "a URI",
  line: "a comment",
  block: "a comment",
} as const satisfies Record<Place, string>;

/** A word or number must not merge with the text beside it. */
function joined(text: string, part: string): string {
  const isGlued = /[\p{L}\p{N}_']$/u.test(text) && /^[\p{L}\p{N}_']/u.test(part);
  return isGlued ? `${text} ${part}` : text + part;
}

/** The marks within each place, and the place that follows; after an escape it is the same. */
const marks: Record<Place, { readonly pattern: RegExp; readonly next: Readonly<Record<string, Place>> }> = {
  code: { pattern: /\/\/|\/\*|"|`/g, next: { "//": "line", "/*": "block", '"': "string", "`": "uri" } },
  string: { pattern: /\\.?|"/gs, next: { '"': "code" } },
  uri: { pattern: /\\.?|`/gs, next: { "`": "code" } },
  line: { pattern: /\n/g, next: { "\n": "code" } },
  block: { pattern: /\*\//g, next: { "*/": "code" } },
};

/** @spec 20 §2.2, §2.4 */
function scan(text: string, from: Place): Place {
  let place = from;
  for (let at = 0; ; ) {
    const { pattern, next } = marks[place];
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (found === null) return place;
    at = pattern.lastIndex;
    place = next[found[0]] ?? place;
  }
}

function finished(text: string, place: Place): string {
  if (place === "code") return text;
  // rnode takes an open comment at the end; put into another program it would swallow what follows.
  if (place === "line") return `${text}\n`;
  throw new ValueError({ code: "unfinished", place: placeNames[place] });
}
