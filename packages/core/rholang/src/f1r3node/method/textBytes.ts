import type { GString } from "@vedette/terms";
import { debugCharacter } from "../debugText.js";
import { panic } from "../Panic.js";

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Shorter texts are counted again each time. */
const fewCharacters = 64;
const lengths = new WeakMap<GString, number>();

/**
 * Number of bytes of a text in UTF-8.
 *
 * PERF: counted once for each text, as the operations that need it cost the same for all (22 §4.3).
 *
 * @spec 61 §6.4
 */
export function byteLength(text: GString): number {
  const { value } = text;
  if (value.length <= fewCharacters) return encoder.encode(value).length;
  let length = lengths.get(text);
  if (length === undefined) {
    length = encoder.encode(value).length;
    lengths.set(text, length);
  }
  return length;
}

/**
 * The part of a text between two places among its bytes, neither of them behind its end.
 *
 * @spec 61 §6.4
 * @throws {Panic} where one lies inside a character
 * @cost grows with `end`, which is what a slice costs, and not with the text
 */
export function sliceOfBytes(text: string, start: number, end: number): string {
  const from = characterAt(text, { at: 0, bytes: 0 }, { side: "start", index: start });
  const until = characterAt(text, from, { side: "end", index: end });
  return decoder.decode(encoder.encode(text.slice(from.at, until.at)));
}

/** A place in a text, by UTF-16 units and by bytes. */
interface TextPlace {
  readonly at: number;
  readonly bytes: number;
}

/** A bound of a slice, counted in bytes. */
interface SliceBound {
  readonly side: "start" | "end";
  readonly index: number;
}

function characterAt(text: string, from: TextPlace, { side, index }: SliceBound): TextPlace {
  let { at, bytes } = from;
  let last = from;
  while (bytes < index) {
    last = { at, bytes };
    const point = text.codePointAt(at)!;
    at += point > 0xffff ? 2 : 1;
    bytes += point < 0x80 ? 1 : point < 0x800 ? 2 : point > 0xffff ? 4 : 3;
  }
  if (bytes > index) {
    const character = `'${debugCharacter(text.slice(last.at, at))}' (bytes ${last.bytes}..${bytes} of string)`;
    throw panic(`${side} byte index ${index} is not a char boundary; it is inside ${character}`);
  }
  return { at, bytes };
}
