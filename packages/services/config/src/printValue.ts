import type { KeyTypeOf } from "./Key.js";
import { type KeyName, keyOf } from "./keys.js";

const units = [
  ["days", 86_400_000],
  ["hours", 3_600_000],
  ["minutes", 60_000],
  ["seconds", 1_000],
] as const;

/** A value as a file would have it; secrets are not shown. @spec 50 §5.2 */
export function printValue({
  key,
  value,
}: {
  readonly key: KeyName;
  readonly value: KeyTypeOf[keyof KeyTypeOf];
}): string {
  const { type, isSecret } = keyOf(key);
  if (value === undefined) return "(not set)";
  if (isSecret === true) return value === "" ? '""' : "(set, not shown)";
  if (type === "duration") return printDuration(Number(value));
  if (Array.isArray(value)) return `[${value.map((item) => JSON.stringify(item)).join(", ")}]`;
  // 32 bits hold fewer digits than are printed of a number.
  if (type === "float") return String(Number(Number(value).toPrecision(7)));
  return typeof value === "string" ? JSON.stringify(value) : String(value);
}

/** A length of time in the largest unit that divides it. @spec 50 §5.2 */
export function printDuration(milliseconds: number): string {
  const [name, length] = units.find(([, ms]) => milliseconds >= ms && milliseconds % ms === 0) ?? ["milliseconds", 1];
  return `${milliseconds / length} ${name}`;
}
