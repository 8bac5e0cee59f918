/** Where a printer starts: how many variables are free and bound around the term. */
export interface PrintOptions {
  readonly freeShift?: number;
  readonly boundShift?: number;
  /** Cut the text after this many UTF-16 units and add `...`, which is added even if nothing is cut. */
  readonly trimAfter?: number;
}

/** The variables `new` brought in with one list of names: absolute numbers from `start` to before `end`. */
interface NewNames {
  readonly start: number;
  readonly end: number;
  readonly outer: NewNames | undefined;
}

const rotation = 23;

/**
 * How variables are named at one place of a term. Immutable.
 *
 * @spec 20 §12.1
 */
export class PrintScope {
  /** Prefix of the names of bound variables: each letter of `baseId` moved on by 23. */
  readonly boundId: string;

  private constructor(
    private readonly freeShift: number,
    private readonly boundShift: number,
    private readonly newNames: NewNames | undefined,
    private readonly freeId: string,
    private readonly baseId: string,
    readonly isBuildingChannel: boolean,
  ) {
    this.boundId = rotated(baseId);
  }

  static start(options: PrintOptions): PrintScope {
    return new PrintScope(options.freeShift ?? 0, options.boundShift ?? 0, undefined, "free", "a", false);
  }

  /** The scope of a pattern that comes after `freeBefore` free variables of earlier patterns. */
  inPattern(freeBefore: number): PrintScope {
    return new PrintScope(
      this.boundShift + freeBefore,
      0,
      this.newNames,
      this.boundId,
      increment(this.baseId),
      this.isBuildingChannel,
    );
  }

  /** The scope within `count` more bound variables. */
  withBound(count: number): PrintScope {
    const { freeShift, boundShift, newNames, freeId, baseId, isBuildingChannel } = this;
    return new PrintScope(freeShift, boundShift + count, newNames, freeId, baseId, isBuildingChannel);
  }

  /** The scope within `new` with `count` names. */
  withNew(count: number): PrintScope {
    const { freeShift, boundShift, freeId, baseId, isBuildingChannel } = this;
    const newNames = { start: boundShift, end: boundShift + count, outer: this.newNames };
    return new PrintScope(freeShift, boundShift + count, newNames, freeId, baseId, isBuildingChannel);
  }

  /** The scope of a name; what is nested in it stays in it. */
  asChannel(): PrintScope {
    if (this.isBuildingChannel) return this;
    const { freeShift, boundShift, newNames, freeId, baseId } = this;
    return new PrintScope(freeShift, boundShift, newNames, freeId, baseId, true);
  }

  boundName(index: number): string {
    return `${this.boundId}${this.boundShift - index - 1}`;
  }

  freeName(level: number): string {
    return `${this.freeId}${this.freeShift + level}`;
  }

  /** The name of a variable reference, which counts back from the free variables of the pattern. */
  referenceName(index: number): string {
    return `${this.freeId}${this.freeShift - index - 1}`;
  }

  /** Names of the next `count` bound variables; no more than 128 are listed. */
  nextNames(count: number): readonly string[] {
    const names: string[] = [];
    for (let i = 0; i < Math.min(count, maxListedNames); i += 1) names.push(`${this.boundId}${this.boundShift + i}`);
    return names;
  }

  /** Whether a bound variable was brought in by `new`. */
  isNewVar(index: number): boolean {
    const number = this.boundShift - index - 1;
    for (let names = this.newNames; names !== undefined; names = names.outer)
      if (number >= names.start && number < names.end) return true;
    return false;
  }
}

const maxListedNames = 128;

const letterA = 97;

/** Each letter moved on by 23. @spec 20 §12.1 */
export function rotated(id: string): string {
  let text = "";
  for (let i = 0; i < id.length; i += 1)
    text += String.fromCharCode(((id.charCodeAt(i) - letterA + rotation) % 26) + letterA);
  return text;
}

/** The next identifier: `a` → `b`, `z` → `aa`, `az` → `ba`. @spec 20 §12.1 */
export function increment(id: string): string {
  if (id === "") return "a";
  const rest = id.slice(0, -1);
  const last = id.charCodeAt(id.length - 1);
  return last === letterA + 25 ? `${increment(rest)}a` : rest + String.fromCharCode(last + 1);
}
