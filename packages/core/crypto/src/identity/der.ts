import { concatBytes } from "../bytes/concat.js";

/** A DER value with this tag around its content. @spec 10 §2 */
export function derValue(tag: number, ...content: readonly Uint8Array[]): Uint8Array {
  const whole = concatBytes(...content);
  return concatBytes(Uint8Array.from([tag, ...derLength(whole.length)]), whole);
}

/** A DER sequence. @spec 10 §2 */
export function derSequence(...items: readonly Uint8Array[]): Uint8Array {
  return derValue(0x30, ...items);
}

/** A DER integer that is not negative, from its big-endian digits. @spec 10 §2 */
export function derInteger(digits: Uint8Array): Uint8Array {
  let start = 0;
  while (start < digits.length - 1 && digits[start] === 0) start++;
  const shortest = digits.subarray(start);
  return derValue(0x02, shortest[0]! >= 0x80 ? concatBytes(new Uint8Array(1), shortest) : shortest);
}

/** A DER time: `UTCTime` from 1950 to 2049, else `GeneralizedTime`. @spec 10 §2 */
export function derTime(timeMs: number): Uint8Array {
  const date = new Date(timeMs);
  const digits = `${date
    .toISOString()
    .replace(/\.\d+Z$/, "")
    .replace(/[-:T]/g, "")}Z`;
  const isShort = date.getUTCFullYear() >= 1950 && date.getUTCFullYear() < 2050;
  return isShort ? derValue(0x17, ascii(digits.slice(2))) : derValue(0x18, ascii(digits));
}

/** Plain text as bytes. @spec 10 §2 */
export function ascii(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function derLength(length: number): number[] {
  if (length < 0x80) return [length];
  const digits: number[] = [];
  for (let rest = length; rest > 0; rest = Math.floor(rest / 0x100)) digits.unshift(rest % 0x100);
  return [0x80 | digits.length, ...digits];
}
