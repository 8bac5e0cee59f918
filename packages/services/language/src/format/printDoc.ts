import type { Doc } from "./Doc.js";

const word = /[\p{L}\p{N}_']$/u;
const wordStart = /^[\p{L}\p{N}_']/u;
/** Texts that become one token, or the beginning of a comment, when they are adjacent. @spec 20 §2.2, §2.4 */
const joined = [
  "...",
  ",)",
  "%%",
  "++",
  "--",
  "/\\",
  "\\/",
  "<=",
  ">=",
  "==",
  "!=",
  "=>",
  "<-",
  "<<-",
  "!!",
  "!?",
  "?!",
].concat(["//", "/*", "bundle+", "bundle-"]);

/** Whether two tokens would be read as others without a blank between them. @spec 20 §2 */
function mustSeparate(left: string, right: string): boolean {
  if (word.test(left) && wordStart.test(right)) return true;
  return joined.some((sign) => isSplitBy(sign, left, right));
}

/** Whether `sign` begins within `left` and goes on in `right`. */
function isSplitBy(sign: string, left: string, right: string): boolean {
  for (let taken = 1; taken < sign.length; taken += 1)
    if (left.endsWith(sign.slice(0, taken)) && right.startsWith(sign.slice(taken, taken + 1))) return true;
  return false;
}

/** The width of a line, if there is a choice. */
const lineWidth = 100;
const step = 2;
/** Deeper is not further right: of ten thousand braces one in another the text stays linear. */
const maxIndent = 80;

interface Command {
  readonly indent: number;
  readonly flat: boolean;
  readonly doc: Doc;
}

/** Writes a document. @cost linear, times the width of a line */
export function printDoc(doc: Doc): string {
  return new Printer().print(doc);
}

class Printer {
  readonly #out: string[] = [];
  readonly #commands: Command[] = [];
  /** Units on the line. */
  #column = 0;
  /** The last token, while it is the last text of the line. */
  #last = "";
  #lineMustEnd = false;
  #isLineEmpty = true;
  #wantsGap = false;

  print(doc: Doc): string {
    this.#commands.push({ indent: 0, flat: false, doc });
    for (let command = this.#commands.pop(); command !== undefined; command = this.#commands.pop()) this.#run(command);
    return this.#out.join("");
  }

  #run(command: Command): void {
    const { doc, indent, flat } = command;
    switch (doc.kind) {
      case "text":
        this.#text(doc.text, indent);
        return;
      case "all":
        for (let i = doc.parts.length - 1; i >= 0; i -= 1) this.#commands.push({ indent, flat, doc: doc.parts[i]! });
        return;
      case "indent":
        this.#commands.push({ indent: Math.min(indent + step, maxIndent), flat, doc: doc.inner });
        return;
      case "group":
        this.#commands.push({ indent, flat: flat || (!doc.broken && this.#fits(command)), doc: doc.inner });
        return;
      case "line":
        if (!flat) this.#newLine(indent);
        else if (doc.flat !== "") this.#blank();
        return;
      case "emptyLine":
        this.#newLine(indent);
        this.#emptyLine(indent);
        return;
      case "freshLine":
        if (!this.#isLineEmpty || this.#lineMustEnd) this.#newLine(indent);
        return;
      case "lineEnd":
        this.#lineMustEnd = true;
        return;
      case "gap":
        this.#wantsGap = true;
        return;
    }
  }

  #text(value: string, indent: number): void {
    if (this.#lineMustEnd) this.#newLine(indent);
    if (value === " ") {
      this.#blank();
      return;
    }
    if (this.#last !== "" && (this.#wantsGap || mustSeparate(this.#last, value))) this.#blank();
    this.#wantsGap = false;
    this.#out.push(value);
    this.#isLineEmpty = false;
    const lineBreak = value.lastIndexOf("\n");
    this.#column = lineBreak < 0 ? this.#column + value.length : value.length - lineBreak - 1;
    this.#last = value;
  }

  #blank(): void {
    if (this.#last === "" || this.#lineMustEnd) return;
    this.#out.push(" ");
    this.#column += 1;
    this.#last = "";
    this.#wantsGap = false;
  }

  #newLine(indent: number): void {
    this.#dropBlanks();
    const before = this.#out.at(-1);
    if (before !== undefined && before !== "\n") this.#out.push("\n");
    if (indent > 0) this.#out.push(" ".repeat(indent));
    this.#column = indent;
    this.#isLineEmpty = true;
    this.#last = "";
    this.#lineMustEnd = false;
    this.#wantsGap = false;
  }

  #emptyLine(indent: number): void {
    this.#dropBlanks();
    const before = this.#out.at(-1);
    if (before === undefined) return;
    if (before !== "\n" || this.#out.at(-2) !== "\n") this.#out.push("\n");
    if (indent > 0) this.#out.push(" ".repeat(indent));
    this.#column = indent;
  }

  /** Blanks at the end of a line. */
  #dropBlanks(): void {
    while (/^ +$/.test(this.#out.at(-1) ?? "")) this.#out.pop();
  }

  /** Whether a group fits on the rest of the line, with the part that must follow it there. */
  #fits({ doc, indent }: Command): boolean {
    let room = lineWidth - (this.#lineMustEnd ? indent : this.#column);
    const stack: Command[] = [{ indent, flat: true, doc }];
    let next = this.#commands.length - 1;
    while (room >= 0) {
      const command = stack.pop() ?? this.#commands[next--];
      if (command === undefined) return true;
      const { doc: one, flat } = command;
      switch (one.kind) {
        case "text":
          room -= one.text.length;
          break;
        case "all":
          for (let i = one.parts.length - 1; i >= 0; i -= 1) stack.push({ indent, flat, doc: one.parts[i]! });
          break;
        case "indent":
          stack.push({ indent, flat, doc: one.inner });
          break;
        case "group":
          stack.push({ indent, flat: flat && !one.broken, doc: one.inner });
          break;
        case "line":
          if (!flat) return true;
          room -= one.flat.length;
          break;
        case "gap":
          break;
        default:
          return true;
      }
    }
    return false;
  }
}
