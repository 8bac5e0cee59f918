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

/** A value of a schema's type as {@link printJson} prints it: a number may stand there as a {@link JsonFloat}, a text as a {@link JsonHex}. */
export type JsonOf<Value> = unknown extends Value
  ? JsonValue
  : Value extends number
    ? Value | JsonFloat
    : Value extends string
      ? JsonText<Value>
      : Value extends bigint | boolean | null | undefined
        ? Value
        : Value extends readonly (infer Item)[]
          ? readonly JsonOf<Item>[]
          : {
              readonly [Member in keyof Value]:
                | JsonOf<Value[Member]>
                | (object extends Pick<Value, Member> ? undefined : never);
            };

/** A word that a schema names stands there as itself. */
type JsonText<Text extends string> = string extends Text ? Text | JsonHex : Text;

/** A 32-bit float, which the reference prints as Java does. @spec 50 §1.6 */
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

/** Stands for many bytes in a text; JSON never has it as it is. */
const cutMark = "\0";

/** A text in pieces, with the digits of each run of bytes between two of them. */
export interface CutJson {
  readonly texts: readonly string[];
  readonly runs: readonly JsonHex[];
}

/** As {@link printJson}, but for what is in {@link JsonHex}. @spec 50 §1.6 */
export function printJsonCut(value: JsonValue): CutJson {
  const runs: JsonHex[] = [];
  return { texts: printJson(value, runs).split(cutMark), runs };
}

/**
 * Compact JSON without loss: integers of any size in full, floats in Java's form, keys in the order given.
 *
 * @spec 50 §1.6
 * @param cut takes each {@link JsonHex}, for which the text then has a mark
 * @param amounts names of members whose integers are printed as texts
 * @cost grows with the text
 */
export function printJson(value: JsonValue, cut?: JsonHex[], amounts?: ReadonlySet<string>): string {
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
      return printComposite(value, cut, amounts);
  }
}

function printComposite(
  value: JsonFloat | JsonHex | readonly JsonValue[] | { readonly [key: string]: JsonValue | undefined },
  cut: JsonHex[] | undefined,
  amounts: ReadonlySet<string> | undefined,
): string {
  if (value instanceof JsonFloat) return printFloat(value.value);
  if (value instanceof JsonHex) return printHex(value, cut);
  if (isArray(value)) return `[${value.map((one) => printJson(one, cut, amounts)).join(",")}]`;
  const members: string[] = [];
  for (const key of Object.keys(value)) {
    const member = value[key];
    if (member === undefined) continue;
    const isAmount = typeof member === "bigint" && amounts?.has(key) === true;
    members.push(`${JSON.stringify(key)}:${isAmount ? `"${member}"` : printJson(member, cut, amounts)}`);
  }
  return `{${members.join(",")}}`;
}

function printHex(run: JsonHex, cut: JsonHex[] | undefined): string {
  cut?.push(run);
  if (cut !== undefined) return `"${cutMark}"`;
  return `"${run.form === "hex" ? toHex(run.bytes) : toBase64(run.bytes)}"`;
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
