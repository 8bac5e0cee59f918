const digit = 1;
const wordPart = 2;

const unitClasses = classify();

/**
 * Puts `f64` behind each float literal that has no suffix, outside of strings, URIs and comments: the grammar knows
 * only literals with one.
 *
 * A literal begins with digits at the beginning of a word, or with a point; quirks follow from that (61 §4).
 *
 * @spec 61 §4
 * @cost linear in the text, however it is made
 */
export function appendFloatWidths(source: string): string {
  return /\d[.eE]|\.\d/.test(source) ? new FloatFinder(source).rewritten() : source;
}

/**
 * Where places of the text with widths lie in the text itself: places in errors are those of the former.
 *
 * @cost linear in the text; of a place nothing
 */
export function placesWithoutWidths(source: string): (offset: number) => number {
  const written = appendFloatWidths(source);
  if (written === source) return (offset) => offset;
  const places = new Uint32Array(written.length + 1);
  let at = 0;
  for (let place = 0; place < written.length; place += 1) {
    places[place] = at;
    // The inserted text begins with a letter, which cannot follow the literal itself.
    if (written[place] === source[at]) at += 1;
  }
  places[written.length] = at;
  return (offset) => places[offset]!;
}

class FloatFinder {
  private at = 0;
  private copied = 0;
  private result = "";
  /** Before this place no string that begins ends, and no block comment behind the other. */
  private noStringBefore = 0;
  private noCommentFrom = Number.POSITIVE_INFINITY;

  constructor(private readonly source: string) {}

  rewritten(): string {
    const { source } = this;
    while (this.at < source.length) {
      const end = this.endOfText() ?? this.endOfFloat();
      this.at = end ?? this.at + 1;
    }
    return this.result + source.slice(this.copied);
  }

  /** Behind a string, a URI or a comment that begins here. */
  private endOfText(): number | undefined {
    const { source, at } = this;
    switch (source.charCodeAt(at)) {
      case 0x22:
        return this.endOfString();
      case 0x60: {
        const end = source.indexOf("`", at + 1);
        return end < 0 ? undefined : end + 1;
      }
      case 0x2f:
        return this.endOfComment();
      default:
        return undefined;
    }
  }

  private endOfString(): number | undefined {
    const { source, at } = this;
    if (at < this.noStringBefore) return undefined;
    let end = at + 1;
    for (; end < source.length; end += 1) {
      const unit = source.charCodeAt(end);
      if (unit === 0x22) return end + 1;
      if (unit !== 0x5c) continue;
      end += 1;
      // A backslash in front of a line break: no string begins here, nor at a quote that it escaped.
      if (source.charCodeAt(end) === 0x0a) break;
    }
    this.noStringBefore = end;
    return undefined;
  }

  private endOfComment(): number | undefined {
    const { source, at } = this;
    const next = source.charCodeAt(at + 1);
    if (next === 0x2f) {
      const end = source.indexOf("\n", at);
      return end < 0 ? source.length : end;
    }
    if (next !== 0x2a || at >= this.noCommentFrom) return undefined;
    const end = source.indexOf("*/", at + 2);
    if (end >= 0) return end + 2;
    this.noCommentFrom = at;
    return undefined;
  }

  /** Behind a float literal that begins here and its suffix; writes the suffix where there is none. */
  private endOfFloat(): number | undefined {
    const end = this.floatFrom(this.at);
    if (end === undefined) return this.isDigit(this.at) ? this.digitsFrom(this.at) : undefined;
    let behind = end;
    while (this.isWordPart(behind) && this.source.charCodeAt(behind) < 0x80) behind += 1;
    if (behind > end) return behind;
    this.result += `${this.source.slice(this.copied, end)}f64`;
    this.copied = end;
    return end;
  }

  private floatFrom(at: number): number | undefined {
    const { source } = this;
    if (source.charCodeAt(at) === 0x2e)
      return this.isDigit(at + 1) ? this.exponentFrom(this.digitsFrom(at + 1)) : undefined;
    if (!this.isDigit(at) || (at > 0 && this.isWordPart(at - 1))) return undefined;
    const end = this.digitsFrom(at);
    if (source.charCodeAt(end) === 0x2e) return this.exponentFrom(this.digitsFrom(end + 1));
    const withExponent = this.exponentFrom(end);
    return withExponent > end ? withExponent : undefined;
  }

  /** Behind an exponent that begins here; here, where none does. */
  private exponentFrom(at: number): number {
    if ((this.source.charCodeAt(at) | 0x20) !== 0x65) return at;
    const sign = this.source.charCodeAt(at + 1);
    const first = sign === 0x2b || sign === 0x2d ? at + 2 : at + 1;
    return this.isDigit(first) ? this.digitsFrom(first) : at;
  }

  private digitsFrom(at: number): number {
    let end = at;
    while (this.isDigit(end)) end += 1;
    return end;
  }

  private isDigit(at: number): boolean {
    return unitClasses[this.source.charCodeAt(at)] === (digit | wordPart);
  }

  private isWordPart(at: number): boolean {
    return ((unitClasses[this.source.charCodeAt(at)] ?? 0) & wordPart) !== 0;
  }
}

function classify(): Uint8Array {
  const classes = new Uint8Array(128);
  for (let unit = 0x30; unit <= 0x39; unit += 1) classes[unit] = digit | wordPart;
  for (let unit = 0x41; unit <= 0x5a; unit += 1) classes[unit] = classes[unit + 0x20] = wordPart;
  classes[0x5f] = wordPart;
  return classes;
}
