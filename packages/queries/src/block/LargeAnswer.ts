import { createHash } from "node:crypto";
import { setImmediate as turn } from "node:timers/promises";
import { type JsonHex, type JsonValue, printJsonCut } from "@vedette/api";
import { PrintedText } from "../PrintedText.js";

/** Bytes that are printed between two turns of the event loop: a few milliseconds; whole groups of three, for base 64. */
const sliceBytes = 3 << 18;

/** Prints what is too long for one piece of work: its long runs of bytes in slices, between which the event loop goes on. */
export async function printLarge(value: JsonValue): Promise<PrintedText> {
  const { texts, runs } = printJsonCut(value);
  const pieces = texts.map((text) => Buffer.from(text));
  const size = pieces.reduce((sum, { length }) => sum + length, 0);
  const bytes = Buffer.allocUnsafeSlow(runs.reduce((sum, run) => sum + digitsIn(run), size));
  const hash = createHash("sha1");
  let at = 0;
  const add = (piece: Uint8Array): void => {
    bytes.set(piece, at);
    hash.update(piece);
    at += piece.length;
  };
  for (const [index, piece] of pieces.entries()) {
    add(piece);
    const run = runs[index];
    for (let start = 0; run !== undefined && start < run.bytes.length; start += sliceBytes) {
      await turn();
      add(digitsOf(run, start));
    }
  }
  await turn();
  return PrintedText.made(bytes, hash.digest("base64url"));
}

function digitsIn({ bytes: { length }, form }: JsonHex): number {
  return form === "hex" ? 2 * length : 4 * Math.ceil(length / 3);
}

function digitsOf({ bytes, form }: JsonHex, start: number): Buffer {
  const { buffer, byteOffset, length } = bytes.subarray(start, start + sliceBytes);
  return Buffer.from(Buffer.from(buffer, byteOffset, length).toString(form), "latin1");
}
