import { HoconScanner } from "./HoconScanner.js";
import { type HoconNode, type JoinNode, ObjectNode, type TextNode, type ValueLocation } from "./hoconNode.js";

const depthLimit = 100;

/** The request of an `include`. @spec 50 §5.2 */
export type IncludeRequest = {
  readonly path: string;
  readonly isRequired: boolean;
  readonly origin: ValueLocation;
  /** Where the included fields go. */
  readonly prefix: readonly string[];
};

/** Reads an included file; `undefined` where it does not exist. */
export type ReadInclude = (request: IncludeRequest) => ObjectNode | undefined;

/** A file's text, with what is needed to understand it. @spec 50 §5.2 */
export type HoconSource = {
  readonly text: string;
  /** Its name in messages. */
  readonly name: string;
  /** The path at which it is included, empty for the main file. */
  readonly prefix: readonly string[];
  readonly readInclude: ReadInclude;
};

/**
 * Parses a HOCON text into nodes; substitutions stay as they are.
 *
 * @spec 50 §5.2
 * @throws {ConfigError} `syntax`, with the place
 */
export function parseHocon(source: HoconSource): ObjectNode {
  return new HoconParser(source).document();
}

class HoconParser {
  readonly #scanner: HoconScanner;
  /** The names from the file's root to the object that is being read; `undefined` within an array. */
  #path: readonly string[] | undefined = [];
  #depth = 0;

  constructor(private readonly source: HoconSource) {
    this.#scanner = new HoconScanner(source.text, source.name);
  }

  document(): ObjectNode {
    const scanner: HoconScanner = this.#scanner;
    scanner.skipLines();
    const root = new ObjectNode(scanner.origin());
    const hasBraces = scanner.accept("{");
    this.#fields(root);
    if (hasBraces) {
      scanner.expect("}", "at the end of the object");
      scanner.skipLines();
    }
    if (!scanner.isAtEnd()) scanner.fail(`expected a key, found ${scanner.describe()}`);
    return root;
  }

  #fields(target: ObjectNode): void {
    const scanner: HoconScanner = this.#scanner;
    scanner.skipLines();
    while (!scanner.isAtEnd() && !scanner.sees("}")) {
      if (!this.#include(target)) this.#field(target);
      const hasNewline = scanner.skipLines();
      const hasComma = scanner.accept(",");
      if (hasComma) scanner.skipLines();
      if (!hasNewline && !hasComma && !scanner.isAtEnd() && !scanner.sees("}")) {
        scanner.fail(`expected a comma or the end of the line, found ${scanner.describe()}`);
      }
    }
  }

  #field(target: ObjectNode): void {
    const scanner: HoconScanner = this.#scanner;
    const start = scanner.offset;
    const key = this.#keyPath();
    const name = key.join(".");
    scanner.skipLines();
    const outer = this.#path;
    this.#path = outer === undefined ? undefined : [...outer, ...key];
    if (scanner.sees("{")) target.put(key, this.#value(name));
    else if (scanner.accept("+=")) target.put(key, this.#appended(name, start));
    else if (scanner.accept("=") || scanner.accept(":")) target.put(key, this.#assigned(name));
    else scanner.fail(`expected "=", ":" or "{" after the key ${name}, found ${scanner.describe()}`);
    this.#path = outer;
  }

  #assigned(name: string): HoconNode {
    const scanner: HoconScanner = this.#scanner;
    const start = scanner.offset;
    // Quirk 50 §5.2: a key without a value takes the next line as its value.
    const crossed = scanner.skipLines();
    const value = this.#value(name);
    scanner.space();
    if (crossed && (scanner.sees("=") || scanner.sees(":"))) {
      scanner.fail(`the key ${name} has no value: give it one, or put # before its line`, start);
    }
    return value;
  }

  /** `key += value` is `key = ${?key} [value]`. */
  #appended(name: string, start: number): HoconNode {
    const scanner: HoconScanner = this.#scanner;
    const origin = scanner.origin(start);
    const path = this.#path;
    if (path === undefined) scanner.fail("+= cannot be used within an array", start);
    scanner.skipLines();
    const { prefix } = this.source;
    const before = { kind: "substitution", path, isOptional: true, prefix, origin } as const;
    const added = { kind: "array", items: [this.#value(name)], origin } as const;
    return { kind: "join", parts: [before, added], origin };
  }

  #keyPath(): string[] {
    const scanner: HoconScanner = this.#scanner;
    const start = scanner.offset;
    const names: string[] = [];
    for (;;) {
      const name = this.#keyName();
      const hasMore = scanner.accept(".");
      if (name === undefined) {
        if (hasMore) scanner.fail("a key must not have an empty part; put it in quotation marks", start);
        scanner.fail(
          names.length === 0 ? `expected a key, found ${scanner.describe()}` : "the key ends with a dot",
          start,
        );
      }
      names.push(name);
      if (!hasMore) return names;
      if (names.length > depthLimit) scanner.fail(`the key has more than ${depthLimit} parts`, start, "tooLarge");
      scanner.space();
    }
  }

  /** A part of a key; white space within it counts, around it does not. @returns `undefined` where there is none */
  #keyName(): string | undefined {
    const scanner: HoconScanner = this.#scanner;
    let name: string | undefined;
    for (let space = ""; ; space = scanner.space()) {
      if (scanner.sees('"')) name = (name ?? "") + space + scanner.quoted();
      else if (scanner.isAtWord() && !scanner.sees(".")) name = (name ?? "") + space + scanner.word(".");
      else return name;
    }
  }

  #value(purpose: string): HoconNode {
    if (++this.#depth > depthLimit) this.#scanner.fail(`values nest deeper than ${depthLimit}`, undefined, "tooLarge");
    const start = this.#scanner.offset;
    const parts: JoinNode["parts"][number][] = [];
    for (let space = ""; ; ) {
      const part = this.#part();
      if (part === undefined) break;
      if (space !== "") parts.push({ kind: "space", text: space });
      parts.push(part);
      space = this.#scanner.space();
    }
    this.#depth--;
    if (parts.length === 0) this.#scanner.fail(`expected a value for ${purpose}, found ${this.#scanner.describe()}`);
    return joinParts(parts, this.#scanner.origin(start));
  }

  #part(): HoconNode | undefined {
    const scanner: HoconScanner = this.#scanner;
    const origin = scanner.origin();
    if (scanner.sees("{")) return this.#object();
    if (scanner.sees("[")) return this.#array();
    if (scanner.sees('"')) return { kind: "text", text: scanner.quoted(), isNull: false, origin };
    if (scanner.sees("${")) return this.#substitution();
    if (!scanner.isAtWord()) return undefined;
    const text = scanner.word();
    return { kind: "text", text, isNull: text === "null", origin };
  }

  #object(): ObjectNode {
    const start = this.#scanner.offset;
    const object = new ObjectNode(this.#scanner.origin());
    this.#scanner.expect("{", "before an object");
    this.#fields(object);
    if (!this.#scanner.accept("}")) this.#scanner.fail("this { has no closing }", start);
    return object;
  }

  #array(): HoconNode {
    const scanner: HoconScanner = this.#scanner;
    const start = scanner.offset;
    const origin = scanner.origin();
    const outer = this.#path;
    this.#path = undefined;
    scanner.expect("[", "before a list");
    scanner.skipLines();
    const items: HoconNode[] = [];
    while (!scanner.sees("]")) {
      if (scanner.isAtEnd()) scanner.fail("this [ has no closing ]", start);
      items.push(this.#value("an item of the list"));
      const hasNewline = scanner.skipLines();
      const hasComma = scanner.accept(",");
      if (hasComma) scanner.skipLines();
      if (!hasNewline && !hasComma && !scanner.sees("]") && !scanner.isAtEnd()) {
        scanner.fail(`expected a comma or ], found ${scanner.describe()}`);
      }
    }
    scanner.expect("]", "after a list");
    this.#path = outer;
    return { kind: "array", items, origin };
  }

  #substitution(): HoconNode {
    const scanner: HoconScanner = this.#scanner;
    const origin = scanner.origin();
    scanner.expect("${", "before a name");
    const isOptional = scanner.accept("?");
    scanner.space();
    const path = this.#keyPath();
    scanner.expect("}", "after the name of a substitution");
    return { kind: "substitution", path, isOptional, prefix: this.source.prefix, origin };
  }

  /** `include "file"`, `include file("file")` and `include required(…)`; other kinds are no files of ours. */
  #include(target: ObjectNode): boolean {
    const scanner: HoconScanner = this.#scanner;
    const origin = scanner.origin();
    if (!/^include(?=\s*(["]|required\s*\(|file\s*\(|url\s*\(|classpath\s*\())/.test(this.#rest(200))) return false;
    scanner.accept("include");
    scanner.space();
    const isRequired = scanner.accept("required");
    if (isRequired) this.#open();
    const isFile = scanner.accept("file");
    if (isFile) this.#open();
    if (!scanner.sees('"')) scanner.fail(`only files can be included, found ${scanner.describe()}`);
    const path = scanner.quoted();
    for (const isOpen of [isFile, isRequired]) {
      scanner.space();
      if (isOpen) scanner.expect(")", "after the name of an included file");
    }
    const prefix = [...this.source.prefix, ...(this.#path ?? [])];
    const included = this.source.readInclude({ path, isRequired, origin, prefix });
    if (included !== undefined) target.putAll(included);
    return true;
  }

  #open(): void {
    this.#scanner.space();
    this.#scanner.expect("(", "before the name of an included file");
    this.#scanner.space();
  }

  #rest(length: number): string {
    return this.source.text.slice(this.#scanner.offset, this.#scanner.offset + length);
  }
}

/** Words beside each other are one text at once; anything with a substitution has to wait. */
function joinParts(parts: readonly JoinNode["parts"][number][], origin: ValueLocation): HoconNode {
  const [first] = parts;
  if (parts.length === 1 && first !== undefined && first.kind !== "space") return first;
  const isText = parts.every((part): part is TextNode | { kind: "space"; text: string } => {
    return part.kind === "text" || part.kind === "space";
  });
  if (!isText) return { kind: "join", parts, origin };
  return { kind: "text", text: parts.map((part) => part.text).join(""), isNull: false, origin };
}
