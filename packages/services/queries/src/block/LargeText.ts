import { createHash } from "node:crypto";
import { setImmediate as turn } from "node:timers/promises";
import { type JsonValue, printJsonPieces } from "@vedette/api";
import { EncodedBody } from "../EncodedBody.js";
import type { LargeAnswer } from "./LargeAnswers.js";

/** A text that is printed in slices. */
export interface LargeText extends LargeAnswer {
  readonly printed: EncodedBody;
}

/** UTF-16 units that are printed between two turns of the event loop: a few milliseconds. */
const sliceLength = 1 << 19;

/** A long text that is put together in slices, between which the event loop can go on. */
export class SlicedText {
  readonly #hash = createHash("sha1");
  readonly #slices: Buffer[] = [];
  #text = "";

  /** @returns whether a slice is done, so that others should have their turn */
  add(piece: string): boolean {
    this.#text += piece;
    if (this.#text.length < sliceLength) return false;
    this.#cut();
    return true;
  }

  end(): EncodedBody {
    this.#cut();
    return EncodedBody.made(Buffer.concat(this.#slices), this.#hash.digest("base64url"));
  }

  #cut(): void {
    const slice = Buffer.from(this.#text);
    this.#hash.update(slice);
    this.#slices.push(slice);
    this.#text = "";
  }
}

/**
 * Prints a value that is too long for one turn in slices, between which the event loop goes on.
 *
 * @param amounts names of members with integers that are printed as texts
 */
export function printLarge(value: JsonValue, amounts?: ReadonlySet<string>): Promise<EncodedBody> {
  return joinPieces(printJsonPieces(value, amounts));
}

/** As {@link printLarge}, of what is printed in pieces while they are taken. */
export async function joinPieces(pieces: Iterable<string>): Promise<EncodedBody> {
  const sliced = new SlicedText();
  for (const piece of pieces) if (sliced.add(piece)) await turn();
  return sliced.end();
}
