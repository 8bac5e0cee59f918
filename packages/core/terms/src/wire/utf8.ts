import { DecodeError } from "./DecodeError.js";

/**
 * Bytes of a text in UTF-8.
 *
 * Quirk 20 §10: half a surrogate pair (`slice` can cut one) is written as a question mark, one byte.
 *
 * @spec 20 §10
 */
export function utf8Size(text: string): number {
  let size = text.length;
  for (let i = 0; i < text.length; i += 1) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) continue;
    if (unit < 0x800) size += 1;
    else if (unit < 0xd800 || unit > 0xdfff) size += 2;
    else if (isPair(text, i)) {
      size += 2;
      i += 1;
    }
  }
  return size;
}

/** Writes a text in UTF-8 (see {@link utf8Size}) and gives back the position after it. */
export function writeUtf8(bytes: Uint8Array, start: number, text: string): number {
  let position = start;
  for (let i = 0; i < text.length; i += 1) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) {
      bytes[position++] = unit;
    } else if (unit < 0x800) {
      bytes[position++] = 0xc0 | (unit >> 6);
      bytes[position++] = 0x80 | (unit & 0x3f);
    } else if (unit < 0xd800 || unit > 0xdfff) {
      bytes[position++] = 0xe0 | (unit >> 12);
      bytes[position++] = 0x80 | ((unit >> 6) & 0x3f);
      bytes[position++] = 0x80 | (unit & 0x3f);
    } else if (isPair(text, i)) {
      const point = 0x10000 + ((unit & 0x3ff) << 10) + (text.charCodeAt(++i) & 0x3ff);
      bytes[position++] = 0xf0 | (point >> 18);
      bytes[position++] = 0x80 | ((point >> 12) & 0x3f);
      bytes[position++] = 0x80 | ((point >> 6) & 0x3f);
      bytes[position++] = 0x80 | (point & 0x3f);
    } else {
      bytes[position++] = 0x3f;
    }
  }
  return position;
}

function isPair(text: string, index: number): boolean {
  if (text.charCodeAt(index) >= 0xdc00 || index + 1 >= text.length) return false;
  const next = text.charCodeAt(index + 1);
  return next >= 0xdc00 && next <= 0xdfff;
}

/** The text that some bytes of a buffer are. @throws {DecodeError} `badText` */
export function readUtf8(bytes: Uint8Array, start: number, end: number): string {
  if (end - start < 32) {
    const text = shortAscii(bytes, start, end);
    if (text !== undefined) return text;
  }
  try {
    return strictUtf8.decode(bytes.subarray(start, end));
  } catch (cause) {
    throw new DecodeError({ code: "badText", offset: start }, { cause });
  }
}

const strictUtf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function shortAscii(bytes: Uint8Array, start: number, end: number): string | undefined {
  let text = "";
  for (let i = start; i < end; i += 1) {
    const byte = bytes[i]!;
    if (byte >= 0x80) return undefined;
    text += String.fromCharCode(byte);
  }
  return text;
}
