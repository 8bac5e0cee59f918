/** A value that {@link printJson} can print: 64-bit integers as `bigint`, floats as {@link JsonFloat}. */
export type JsonValue =
  | null
  | boolean
  | number
  | bigint
  | string
  | JsonFloat
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue };

/** A 32-bit float, which the reference prints as Java does. @spec 50 §1.6 */
export class JsonFloat {
  constructor(readonly value: number) {}
}

/**
 * Compact JSON without loss: integers of any size in full, floats in Java's form, keys in the order given.
 *
 * @spec 50 §1.6
 * @cost grows with the text
 */
export function printJson(value: JsonValue): string {
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
      return printComposite(value);
  }
}

function printComposite(value: JsonFloat | readonly JsonValue[] | { readonly [key: string]: JsonValue }): string {
  if (value instanceof JsonFloat) return printFloat(value.value);
  if (isArray(value)) return `[${value.map(printJson).join(",")}]`;
  const members: string[] = [];
  for (const key of Object.keys(value)) members.push(`${JSON.stringify(key)}:${printJson(value[key]!)}`);
  return `{${members.join(",")}}`;
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
