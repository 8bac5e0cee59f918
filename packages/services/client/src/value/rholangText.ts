import { toHex } from "@vedette/crypto";
import { stringLiteral } from "../term/literal.js";
import type { RhoInput } from "./RhoValue.js";
import { ValueError } from "./ValueError.js";
import { type ValueVisitor, visitValue } from "./visitValue.js";

/**
 * Returns the source text of a value, which means that value and nothing else wherever a process is allowed.
 *
 * Negative integers and byte arrays have no literals: they are expressions, which are worked out when the program
 * runs; in a pattern they match nothing. Unforgeable names cannot be written at all.
 *
 * @spec 20 §2.4, §2.5, §3.4
 * @throws {ValueError} for an input that is not a value, `noSource`, `badUri`
 */
export function rholangText(value: RhoInput): string {
  return visitValue(value, sourceText);
}

const minInteger = -(2n ** 63n);

const sourceText: ValueVisitor<string> = {
  nil: () => "Nil",
  bool: String,
  int: integerText,
  number: ({ kind }) => {
    throw new ValueError({ code: "notWritten", what: `A value of kind ${kind}` });
  },
  text: stringLiteral,
  // Braces, unlike parentheses, are also allowed after @.
  bytes: (value) => `{"${toHex(value)}".hexToBytes()}`,
  uri: uriText,
  unforgeable: () => {
    throw new ValueError({ code: "noSource", what: "An unforgeable name" });
  },
  tuple: (items) => (items.length === 1 ? `(${items[0]},)` : `(${items.join(", ")})`),
  list: (items) => `[${items.join(", ")}]`,
  set: (items) => `Set(${items.join(", ")})`,
  map: (entries) => `{${entries.map(([key, value]) => `${key}: ${value}`).join(", ")}}`,
  par: (items) => (items.length === 0 ? "Nil" : `{${items.join(" | ")}}`),
};

function integerText(value: bigint): string {
  if (value >= 0n) return value.toString();
  // Digits are read before the sign, and the least integer's are one too many.
  return value === minInteger ? `{${value + 1n} - 1}` : `{${value}}`;
}

/** Nothing is unescaped in a URI, so the text between the backticks is the URI. */
function uriText(uri: string): string {
  if (/[`\\]/.test(uri)) throw new ValueError({ code: "badUri", uri });
  return `\`${uri}\``;
}
