import { errorClass } from "@vedette/errors";

/** A text grew beyond what it may. */
export class ReportTooLargeError extends errorClass("ReportTooLargeError", sentence) {}

function sentence({ maxUnits }: { readonly code: "tooLarge"; readonly maxUnits: number }): string {
  return `The report has more than ${maxUnits >> 20} MB and is not returned.`;
}

/** A JSON text that is written piece by piece, up to a size. */
export class TextWriter {
  readonly #maxUnits: number;
  #text = "";

  constructor(maxUnits: number) {
    this.#maxUnits = maxUnits;
  }

  get text(): string {
    return this.#text;
  }

  /** @throws {ReportTooLargeError} */
  write(piece: string): void {
    this.#text += piece;
    if (this.#text.length > this.#maxUnits)
      throw new ReportTooLargeError({ code: "tooLarge", maxUnits: this.#maxUnits });
  }

  /** Writes an array. */
  list<T>(items: readonly T[], writeItem: (item: T) => void): void {
    this.write("[");
    for (const [index, item] of items.entries()) {
      if (index > 0) this.write(",");
      writeItem(item);
    }
    this.write("]");
  }
}
