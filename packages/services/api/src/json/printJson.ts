import { toBase64, toHex } from "@vedette/crypto";

/**
 * A value that {@link printJson} can print: 64-bit integers as `bigint`, floats as {@link JsonFloat}. A member that is
 * `undefined` is left out.
 */
export type JsonValue =
  | null
  | boolean
  | number
  | bigint
  | string
  | JsonFloat
  | JsonHex
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue | undefined };

/**
 * A value of a schema's type as {@link printJson} prints it: a number may be given as a {@link JsonFloat}, a text as a
 * {@link JsonHex}.
 */
export type JsonOf<Value> = unknown extends Value
  ? JsonValue
  : Value extends number
    ? Value | JsonFloat
    : Value extends string
      ? PrintedText<Value>
      : Value extends bigint | boolean | null | undefined
        ? Value
        : Value extends readonly (infer Item)[]
          ? readonly JsonOf<Item>[]
          : {
              readonly [Member in keyof Value]:
                | JsonOf<Value[Member]>
                | (object extends Pick<Value, Member> ? undefined : never);
            };

/** A word that a schema names is given as itself. */
type PrintedText<Text extends string> = string extends Text ? Text | JsonHex : Text;

/** A 32-bit float, which rnode prints as Java does. @spec 50 §1.6 */
export class JsonFloat {
  constructor(readonly value: number) {}
}

/** Many bytes, which are printed as hexadecimal digits, or in base 64. */
export class JsonHex {
  constructor(
    readonly bytes: Uint8Array,
    readonly form: "hex" | "base64" = "hex",
  ) {}
}

/**
 * Compact JSON without loss: integers of any size in full, floats in Java's form, keys in the order given.
 *
 * @spec 50 §1.6
 * @param amounts names of members with integers that are printed as texts
 * @cost grows with the text
 */
export function printJson(value: JsonValue, amounts?: ReadonlySet<string>): string {
  if (value === null) return "null";
  switch (typeof value) {
    case "boolean":
      return value ? "true" : "false";
    case "bigint":
      return value.toString();
    case "number":
      return Number.isFinite(value) ? String(value) : "null";
    case "string":
      return JSON.stringify(value);
    default:
      return printComposite(value, amounts);
  }
}

function printComposite(
  value: JsonFloat | JsonHex | readonly JsonValue[] | { readonly [key: string]: JsonValue | undefined },
  amounts: ReadonlySet<string> | undefined,
): string {
  if (value instanceof JsonFloat) return printFloat(value.value);
  if (value instanceof JsonHex) return `"${digitsOf(value.bytes, value.form)}"`;
  if (isArray(value)) return `[${value.map((one) => printJson(one, amounts)).join(",")}]`;
  const members: string[] = [];
  for (const key of Object.keys(value)) {
    const member = value[key];
    if (member === undefined) continue;
    members.push(
      `${JSON.stringify(key)}:${isAmount(key, member, amounts) ? `"${member}"` : printJson(member, amounts)}`,
    );
  }
  return `{${members.join(",")}}`;
}

/** A longer value is printed in pieces of this many UTF-16 units, or bytes: whole groups of three, for base 64. */
const pieceLength = 3 << 14;

/**
 * The text of {@link printJson} in pieces, so that others can have their turn between them however long it is.
 *
 * @spec 50 §1.6
 * @cost grows with the text; several times that of {@link printJson}
 */
export function* printJsonPieces(value: JsonValue, amounts?: ReadonlySet<string>): Generator<string> {
  if (isText(value)) yield* piecesOf(value);
  else if (isScalar(value)) yield printJson(value);
  else if (isArray(value)) {
    let before = "[";
    for (const one of value) {
      yield before;
      yield* printJsonPieces(one, amounts);
      before = ",";
    }
    yield closing(before, "[]");
  } else {
    let before = "{";
    for (const [key, member] of Object.entries(value)) {
      if (member === undefined) continue;
      yield `${before}${JSON.stringify(key)}:`;
      if (isAmount(key, member, amounts)) yield `"${member}"`;
      else yield* printJsonPieces(member, amounts);
      before = ",";
    }
    yield closing(before, "{}");
  }
}

function isText(value: JsonValue): value is string | JsonHex {
  return typeof value === "string" || value instanceof JsonHex;
}

function piecesOf(text: string | JsonHex): Generator<string> {
  return typeof text === "string" ? textPieces(text) : hexPieces(text);
}

function isScalar(value: JsonValue): value is Exclude<JsonValue, object> | JsonFloat {
  return value === null || typeof value !== "object" || value instanceof JsonFloat;
}

/** Returns the end of a list or an object; both brackets if it has no items. */
function closing(before: string, brackets: "[]" | "{}"): string {
  return before === brackets[0] ? brackets : brackets.slice(1);
}

function* textPieces(text: string): Generator<string> {
  yield '"';
  for (let start = 0; start < text.length; ) {
    const end = start + pieceLength;
    // The halves of a character are one piece: alone they would be printed as escapes.
    const next = end < text.length && isFirstHalf(text.charCodeAt(end - 1)) ? end - 1 : end;
    yield JSON.stringify(text.slice(start, next)).slice(1, -1);
    start = next;
  }
  yield '"';
}

function isFirstHalf(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xdc00;
}

function* hexPieces({ bytes, form }: JsonHex): Generator<string> {
  yield '"';
  for (let start = 0; start < bytes.length; start += pieceLength)
    yield digitsOf(bytes.subarray(start, start + pieceLength), form);
  yield '"';
}

function digitsOf(bytes: Uint8Array, form: JsonHex["form"]): string {
  return form === "hex" ? toHex(bytes) : toBase64(bytes);
}

function isAmount(key: string, member: JsonValue, amounts: ReadonlySet<string> | undefined): member is bigint {
  return typeof member === "bigint" && amounts?.has(key) === true;
}

function isArray(value: object): value is readonly JsonValue[] {
  return Array.isArray(value);
}

/**
 * The text of a 32-bit float: the shortest digits that read back to it, plain from 1e-3 up to 1e7, otherwise with
 * an exponent; `null` for what is not a number.
 *
 * @spec 50 §1.6
 */
export function printFloat(value: number): string {
  const single = Math.fround(value);
  if (!Number.isFinite(single)) return "null";
  if (single === 0) return Object.is(single, -0) ? "-0.0" : "0.0";
  const { digits, exponent } = shortestDigits(Math.abs(single));
  const sign = single < 0 ? "-" : "";
  const magnitude = Math.abs(single);
  if (magnitude >= 1e-3 && magnitude < 1e7) return sign + plain(digits, exponent);
  return `${sign}${digits[0]}.${digits.length > 1 ? digits.slice(1) : "0"}E${exponent}`;
}

function shortestDigits(single: number): { digits: string; exponent: number } {
  for (let precision = 1; precision <= 9; precision += 1) {
    const text = single.toExponential(precision - 1);
    if (Math.fround(Number(text)) !== single) continue;
    const [mantissa, exponent] = text.split("e") as [string, string];
    return { digits: mantissa.replace(".", "").replace(/0+$/, "") || "0", exponent: Number(exponent) };
  }
  throw new RangeError("a 32-bit float has at most nine significant digits");
}

function plain(digits: string, exponent: number): string {
  if (exponent < 0) return `0.${"0".repeat(-exponent - 1)}${digits}`;
  const whole = digits.slice(0, exponent + 1).padEnd(exponent + 1, "0");
  const fraction = digits.slice(exponent + 1);
  return `${whole}.${fraction === "" ? "0" : fraction}`;
}
