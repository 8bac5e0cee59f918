import type { AnyProcess, ProgramSource } from "../ProgramSource.js";
import { all, type Doc, emptyLine, group, indent, line, sequence, softLine } from "./Doc.js";
import { TokenCursor } from "./TokenCursor.js";

/** Lists, maps and braces: what has an opening and a closing sign. */
export abstract class ListLayout {
  protected readonly cursor: TokenCursor;

  constructor(protected readonly parsed: ProgramSource) {
    this.cursor = new TokenCursor(parsed);
  }

  protected abstract process(process: AnyProcess): Doc;

  /** `{ … }` on lines of its own where the text breaks behind the brace, or where it does not fit. */
  protected braced(inner: () => Doc): Doc {
    const { doc, broken } = this.enclosed(line, inner);
    return group(doc, broken);
  }

  /** `{…}` */
  protected tightBraced(inner: () => Doc): Doc {
    const { doc, broken } = this.enclosed(softLine, inner);
    return group(doc, broken);
  }

  /** Braces with lines that belong to the group around them. */
  protected enclosed(edge: Doc, inner: () => Doc): { readonly doc: Doc; readonly broken: boolean } {
    const open = this.cursor.take("{");
    const broken = this.cursor.breaksHere();
    const above = this.cursor.comments();
    const body = inner();
    const rest = this.cursor.comments();
    return { doc: all(open, indent(all(edge, above, body, rest)), edge, this.cursor.take("}")), broken };
  }

  /** Elements between signs, with a comma more, and a remainder, where the text has them. */
  protected list(elements: readonly AnyProcess[], open: string, close: string): Doc {
    const begin = this.cursor.take(open);
    const broken = elements.length > 1 && this.cursor.breaksHere();
    const isAlone = elements.length === 1 && !this.cursor.hasComment() && this.#hugs(elements[0]!);
    const parts = this.items(elements, (element) => this.process(element));
    parts.push(...this.#remainder(elements.length > 0));
    const rest = this.cursor.comments();
    const end = this.cursor.take(this.cursor.kind === ",)" ? ",)" : close);
    if (parts.length === 0) return all(begin, rest, end);
    if (isAlone) return all(begin, sequence(parts), rest, end);
    return group(all(begin, indent(all(softLine, sequence(parts), rest)), softLine, end), broken);
  }

  protected map(entries: readonly { readonly key: AnyProcess; readonly value: AnyProcess }[]): Doc {
    const open = this.cursor.take("{");
    const broken = entries.length > 1 && this.cursor.breaksHere();
    const parts = this.items(entries, ({ key, value }) => {
      const left = this.process(key);
      return all(left, this.cursor.take(":"), line, this.process(value));
    });
    parts.push(...this.#remainder(entries.length > 0));
    const rest = this.cursor.comments();
    const end = this.cursor.take("}");
    if (parts.length === 0) return all(open, rest, end);
    return group(all(open, indent(all(softLine, sequence(parts), rest)), softLine, end), broken);
  }

  /** Parted by commas; the last comma may have nothing behind it. */
  protected items<T>(items: readonly T[], show: (item: T) => Doc): Doc[] {
    const parts: Doc[] = [];
    for (const [index, item] of items.entries()) {
      if (index > 0) {
        parts.push(this.cursor.take(","));
        parts.push(this.cursor.isBlankHere() ? emptyLine : line);
      }
      parts.push(this.cursor.comments(), show(item));
    }
    if (items.length > 0 && this.cursor.kind === ",") parts.push(this.cursor.take(","));
    return parts;
  }

  #remainder(hasItems: boolean): Doc[] {
    if (this.cursor.kind !== "...") return [];
    const parts = hasItems ? [line] : [];
    parts.push(this.cursor.take("..."), this.cursor.take());
    return parts;
  }

  /** Whether an element brings signs of its own, so that two closing ones are adjacent. */
  #hugs(element: AnyProcess): boolean {
    if (this.parsed.wrappings.get(element)?.at(-1)?.sign === "{") return true;
    const { kind } = element;
    return kind === "Map" || kind === "List" || kind === "Tuple" || kind === "Set" || kind === "PathMap";
  }
}
