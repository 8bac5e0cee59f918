/** A literal as written in the text. */
export interface NumberToken {
  readonly length: number;
  readonly form: "int" | "signed" | "unsigned" | "bigInt" | "bigRational" | "float" | "fixedPoint";
  /** With the sign, without the letter and the digits after it. */
  readonly digits: string;
  /** Digits behind the letter, if the form has any. */
  readonly width: string;
}

const point = 0x2e;
const minus = 0x2d;

/**
 * The number that begins here, the longest that does; a minus directly in front of it belongs to it.
 *
 * @spec 61 §4
 * @returns `undefined` where none begins
 */
export function numberAt(source: string, at: number): NumberToken | undefined {
  const first = source.charCodeAt(at) === minus ? at + 1 : at;
  const whole = digitsFrom(source, first);
  const hasWhole = whole > first;
  if (source.charCodeAt(whole) === point) {
    const fraction = digitsFrom(source, whole + 1);
    const isNumber = hasWhole || fraction > whole + 1;
    const decimal = isNumber ? withFraction(source, at, fraction) : undefined;
    if (decimal !== undefined) return decimal;
  }
  if (!hasWhole) return undefined;
  return withFraction(source, at, whole) ?? integer(source, at, whole, first > at);
}

function withFraction(source: string, at: number, end: number): NumberToken | undefined {
  const exponent = exponentFrom(source, end);
  if (source.charAt(exponent) === "f") {
    const width = ["32", "64", "128", "256"].find((each) => source.startsWith(each, exponent + 1));
    if (width !== undefined) return token(source, { at, end: exponent, form: "float", width });
  }
  if (source.charAt(end) !== "p") return undefined;
  const scale = source.slice(end + 1, digitsFrom(source, end + 1));
  return scale === "" ? undefined : token(source, { at, end, form: "fixedPoint", width: scale });
}

function integer(source: string, at: number, end: number, isNegative: boolean): NumberToken {
  const letter = source.charAt(end);
  if (letter === "n") return token(source, { at, end, form: "bigInt", width: "" });
  if (letter === "r") return token(source, { at, end, form: "bigRational", width: "" });
  if (letter === "i" || (letter === "u" && !isNegative)) {
    const width = source.slice(end + 1, digitsFrom(source, end + 1));
    // A width begins with no zero.
    if (width !== "" && !width.startsWith("0"))
      return token(source, { at, end, form: letter === "i" ? "signed" : "unsigned", width });
  }
  return { length: end - at, form: "int", digits: source.slice(at, end), width: "" };
}

/** @param parts.end behind the digits, at the letter */
function token(
  source: string,
  parts: { readonly at: number; readonly end: number; readonly form: NumberToken["form"]; readonly width: string },
): NumberToken {
  const { at, end, form, width } = parts;
  return { length: end + 1 + width.length - at, form, digits: source.slice(at, end), width };
}

function exponentFrom(source: string, at: number): number {
  const letter = source.charAt(at);
  if (letter !== "e" && letter !== "E") return at;
  const sign = source.charAt(at + 1);
  const first = sign === "+" || sign === "-" ? at + 2 : at + 1;
  const end = digitsFrom(source, first);
  return end > first ? end : at;
}

function digitsFrom(source: string, at: number): number {
  let end = at;
  for (;;) {
    const unit = source.charCodeAt(end);
    if (unit >= 0x30 && unit <= 0x39) end += 1;
    else return end;
  }
}
