import { type JsonInput, JsonNumber } from "./parseJson.js";

/**
 * The beginning of a JSON text with two spaces a level, as rnode prints it in its errors.
 *
 * Quirk 50 §1.3: an empty object takes three lines and an empty array two.
 *
 * @spec 50 §1.3
 * @param limit how many characters are wanted; the text may be somewhat longer
 */
export function printIndented(value: JsonInput, limit: number): string {
  const printer = new IndentedPrinter(limit);
  printer.value(value, 0);
  return printer.text;
}

class IndentedPrinter {
  readonly #limit: number;
  text = "";

  constructor(limit: number) {
    this.#limit = limit;
  }

  value(value: JsonInput, level: number): void {
    if (this.text.length >= this.#limit) return;
    if (value instanceof JsonNumber) this.text += value.text;
    else if (typeof value === "string") this.text += printText(value, this.#limit);
    else if (value === null || typeof value === "boolean") this.text += String(value);
    else if (isArray(value)) this.#array(value, level);
    else this.#object(value, level);
  }

  #array(elements: readonly JsonInput[], level: number): void {
    this.text += "[";
    for (const [index, element] of elements.entries()) {
      if (this.text.length >= this.#limit) return;
      this.text += `${index === 0 ? "" : ","}${line(level + 1)}`;
      this.value(element, level + 1);
    }
    this.text += `${line(level)}]`;
  }

  #object(members: ReadonlyMap<string, JsonInput>, level: number): void {
    this.text += "{";
    if (members.size === 0) this.text += line(level + 1);
    let isFirst = true;
    for (const [key, value] of members) {
      if (this.text.length >= this.#limit) return;
      this.text += `${isFirst ? "" : ","}${line(level + 1)}${printText(key, this.#limit)} : `;
      isFirst = false;
      this.value(value, level + 1);
    }
    this.text += `${line(level)}}`;
  }
}

function line(level: number): string {
  return `\n${"  ".repeat(level)}`;
}

function printText(text: string, limit: number): string {
  return JSON.stringify(text.length > limit ? text.slice(0, limit) : text);
}

function isArray(value: JsonInput): value is readonly JsonInput[] {
  return Array.isArray(value);
}
