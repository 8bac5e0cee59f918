import { createHash } from "node:crypto";
import { setImmediate as turn } from "node:timers/promises";
import { type JsonValue, printJsonCut } from "@vedette/api";
import { PrintedText } from "../PrintedText.js";

/** Bytes that are printed between two turns of the event loop: a few milliseconds. */
const sliceBytes = 1 << 20;

/** Prints what is too long for one piece of work: its long runs of bytes in slices, between which the event loop goes on. */
export async function printLarge(value: JsonValue): Promise<PrintedText> {
  const { texts, hexes } = printJsonCut(value);
  const pieces = texts.map((text) => Buffer.from(text));
  const size = pieces.reduce((sum, { length }) => sum + length, 0);
  const bytes = Buffer.allocUnsafeSlow(hexes.reduce((sum, { length }) => sum + 2 * length, size));
  const hash = createHash("sha1");
  let at = 0;
  const add = (piece: Uint8Array): void => {
    bytes.set(piece, at);
    hash.update(piece);
    at += piece.length;
  };
  for (const [index, piece] of pieces.entries()) {
    add(piece);
    const hex = hexes[index];
    for (let start = 0; hex !== undefined && start < hex.length; start += sliceBytes) {
      await turn();
      add(digitsOf(hex.subarray(start, start + sliceBytes)));
    }
  }
  await turn();
  return PrintedText.made(bytes, hash.digest("base64url"));
}

function digitsOf({ buffer, byteOffset, length }: Uint8Array): Buffer {
  return Buffer.from(Buffer.from(buffer, byteOffset, length).toString("hex"), "latin1");
}
