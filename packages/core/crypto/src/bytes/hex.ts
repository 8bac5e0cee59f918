import { BytesError } from "./BytesError.js";

const textOfByte: readonly string[] = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

const digitOfCode = new Uint8Array(128).fill(0xff);
for (let digit = 0; digit < 16; digit++) {
  const text = digit.toString(16);
  digitOfCode[text.charCodeAt(0)] = digit;
  digitOfCode[text.toUpperCase().charCodeAt(0)] = digit;
}

/** Both digits of a byte, as they lie in memory. */
const digitsOfByte = new Uint16Array(Uint8Array.from(textOfByte.flatMap((text) => [...text].map(codeOf))).buffer);
/** Longer texts are put together from digits; of two-part strings above this number the engine would keep each. */
const maxStrings = 32;
const sliceBytes = 1 << 16;
const ascii = new TextDecoder();

/** Prints bytes as lower-case hexadecimal digits, two a byte. @spec 10 §1.1 */
export function toHex(bytes: Uint8Array): string {
  let text = "";
  if (bytes.length > maxStrings) {
    for (let start = 0; start < bytes.length; start += sliceBytes)
      text += hexOf(bytes.subarray(start, start + sliceBytes));
    return text;
  }
  for (let i = 0; i < bytes.length; i++) text += textOfByte[bytes[i]!];
  return text;
}

function hexOf(bytes: Uint8Array): string {
  const digits = new Uint16Array(bytes.length);
  for (let i = 0; i < bytes.length; i++) digits[i] = digitsOfByte[bytes[i]!]!;
  return ascii.decode(digits);
}

function codeOf(digit: string): number {
  return digit.charCodeAt(0);
}

/**
 * Reads hexadecimal digits of either case, two a byte.
 *
 * This is the form for our own files, vectors and APIs. What rnode does with an odd
 * number of digits or with foreign characters is {@link fromHexPadded} and {@link fromHexLenient}.
 *
 * @spec 10 §1.1
 * @throws {BytesError} `oddHex`, `notHex`
 */
export function fromHex(text: string): Uint8Array {
  if (text.length % 2 !== 0) throw new BytesError({ code: "oddHex", length: text.length });
  const bytes = new Uint8Array(text.length / 2);
  for (let i = 0; i < bytes.length; i++) {
    bytes[i] = (requireDigit(text, 2 * i) << 4) | requireDigit(text, 2 * i + 1);
  }
  return bytes;
}

/**
 * Reads hexadecimal digits as rnode's strict decoder does.
 *
 * @spec 10 §1.1
 * @returns `undefined` where a character is no digit
 */
export function fromHexPadded(text: string): Uint8Array | undefined {
  for (let i = 0; i < text.length; i++) if (digitAt(text, i) === 0xff) return undefined;
  // Quirk 10 §1.1: an odd number of digits gets a leading zero instead of being an error.
  return fromHex(text.length % 2 === 0 ? text : `0${text}`);
}

/**
 * As {@link fromHexPadded}, of a text in ASCII: no string is made of it, which would stay in memory for a while.
 *
 * @spec 10 §1.1
 */
export function fromHexDigits(ascii: Uint8Array): Uint8Array | undefined {
  const bytes = new Uint8Array((ascii.length + 1) >> 1);
  const padding = ascii.length % 2;
  for (let i = 0; i < ascii.length; i++) {
    const digit = digitOfCode[ascii[i]!] ?? 0xff;
    if (digit === 0xff) return undefined;
    bytes[(i + padding) >> 1]! |= (i + padding) % 2 === 0 ? digit << 4 : digit;
  }
  return bytes;
}

/** Reads the hexadecimal digits of any text, leaving out every other character; never fails. @spec 10 §1.1 */
export function fromHexLenient(text: string): Uint8Array {
  const digits = text.replace(/[^0-9a-fA-F]/g, "");
  return fromHex(digits.length % 2 === 0 ? digits : `0${digits}`);
}

function requireDigit(text: string, offset: number): number {
  const digit = digitAt(text, offset);
  if (digit === 0xff) throw new BytesError({ code: "notHex", offset });
  return digit;
}

function digitAt(text: string, offset: number): number {
  const code = text.charCodeAt(offset);
  return code < 128 ? digitOfCode[code]! : 0xff;
}
