/** A number as it was written, so that no digit is lost. @spec 50 §1.6 */
export class JsonNumber {
  constructor(readonly text: string) {}
}

/** The content of a JSON text. If members have the same key the last one counts. */
export type JsonInput = null | boolean | string | JsonNumber | readonly JsonInput[] | ReadonlyMap<string, JsonInput>;

/** Deeper texts are not read. */
const maxDepth = 256;

/**
 * Reads a JSON text without loss.
 *
 * @param maxValues values in all, beyond which the text is not read
 * @returns `undefined` where the text is no JSON, is nested too deeply, or has too many values
 * @cost grows with the text
 */
export function parseJson(text: string, maxValues = Number.POSITIVE_INFINITY): JsonInput | undefined {
  const reader = new JsonReader(text, maxValues);
  try {
    const value = reader.value(0);
    return reader.isAtEnd() ? value : undefined;
  } catch (error) {
    if (error === notJson || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

const notJson = new SyntaxError("not JSON");

const space = /[ \t\n\r]*/y;
const number = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const words = new Map<string, boolean | null>([
  ["true", true],
  ["false", false],
  ["null", null],
]);

class JsonReader {
  readonly #text: string;
  #position = 0;
  #valuesLeft: number;

  constructor(text: string, maxValues: number) {
    this.#text = text;
    this.#valuesLeft = maxValues;
  }

  isAtEnd(): boolean {
    this.#match(space);
    return this.#position === this.#text.length;
  }

  value(depth: number): JsonInput {
    this.#valuesLeft -= 1;
    if (depth > maxDepth || this.#valuesLeft < 0) throw notJson;
    this.#match(space);
    switch (this.#text[this.#position]) {
      case "{":
        return this.#object(depth);
      case "[":
        return this.#array(depth);
      case '"':
        return this.#string();
      default:
        return this.#wordOrNumber();
    }
  }

  #object(depth: number): ReadonlyMap<string, JsonInput> {
    const members = new Map<string, JsonInput>();
    this.#position += 1;
    if (this.#takes("}")) return members;
    do {
      this.#match(space);
      const key = this.#string();
      if (!this.#takes(":")) throw notJson;
      members.set(key, this.value(depth + 1));
    } while (this.#takes(","));
    if (!this.#takes("}")) throw notJson;
    return members;
  }

  #array(depth: number): readonly JsonInput[] {
    const elements: JsonInput[] = [];
    this.#position += 1;
    if (this.#takes("]")) return elements;
    do elements.push(this.value(depth + 1));
    while (this.#takes(","));
    if (!this.#takes("]")) throw notJson;
    return elements;
  }

  /** Finds the end; the language's own reader judges the text between the quotes. */
  #string(): string {
    const start = this.#position;
    if (this.#text[start] !== '"') throw notJson;
    let end = start + 1;
    while (end < this.#text.length && this.#text[end] !== '"') end += this.#text[end] === "\\" ? 2 : 1;
    if (end >= this.#text.length) throw notJson;
    this.#position = end + 1;
    return JSON.parse(this.#text.slice(start, end + 1));
  }

  #wordOrNumber(): JsonInput {
    for (const [word, value] of words) {
      if (!this.#text.startsWith(word, this.#position)) continue;
      this.#position += word.length;
      return value;
    }
    const text = this.#match(number);
    if (text === undefined) throw notJson;
    return new JsonNumber(text);
  }

  #takes(sign: string): boolean {
    this.#match(space);
    if (this.#text[this.#position] !== sign) return false;
    this.#position += 1;
    return true;
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#position;
    const found = pattern.exec(this.#text)?.[0];
    if (found !== undefined) this.#position += found.length;
    return found;
  }
}
