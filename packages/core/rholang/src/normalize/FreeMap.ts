import { iterationRank } from "./iterationRank.js";

/** A variable that a pattern (or, as an error, the program) leaves free. */
export interface FreeBinding {
  readonly level: number;
  readonly isName: boolean;
  readonly position: number;
}

/** A logical connective, recorded for the rules on where they are allowed. Simple types are not recorded. */
export interface ConnectiveUse {
  readonly text: "/\\ (conjunction)" | "\\/ (disjunction)" | "~ (negation)";
  readonly position: number;
}

/**
 * The free variables, wildcards and connectives met so far. Variables are numbered by level, in order of first use.
 * It is threaded through a term and changed in place; a pattern begins with one of its own.
 *
 * @spec 20 §6.1
 */
export class FreeMap {
  private readonly bindings = new Map<string, FreeBinding>();
  readonly wildcards: number[] = [];
  readonly connectives: ConnectiveUse[] = [];
  private levels = 0;

  /** Number of variables, and the level of the next one. */
  get nextLevel(): number {
    return this.levels;
  }

  get isEmpty(): boolean {
    return this.levels === 0 && this.wildcards.length === 0 && this.connectives.length === 0;
  }

  find(name: string): FreeBinding | undefined {
    return this.bindings.get(name);
  }

  /** Adds a variable that is not there yet. @returns its level */
  put(name: string, isName: boolean, position: number): number {
    const level = this.levels;
    this.bindings.set(name, { level, isName, position });
    this.levels = level + 1;
    return level;
  }

  /**
   * Takes over what another map holds, behind what is here.
   *
   * @returns the variable that both have, and among several the one that rnode reports
   */
  merge(other: FreeMap): string | undefined {
    for (const name of other.bindings.keys()) if (this.bindings.has(name)) return this.lastClash(other);
    const base = this.levels;
    for (const [name, { level, isName, position }] of other.bindings)
      this.bindings.set(name, { level: base + level, isName, position });
    this.levels = base + other.levels;
    for (const position of other.wildcards) this.wildcards.push(position);
    for (const use of other.connectives) this.connectives.push(use);
    return undefined;
  }

  /** In the order in which the variables were met. */
  entries(): IterableIterator<[string, FreeBinding]> {
    return this.bindings.entries();
  }

  /**
   * In the order in which rnode lists them.
   *
   * Quirk 20 §8.1: up to four in order of insertion, more in the order of a Scala hash trie.
   */
  entriesAsListed(): [string, FreeBinding][] {
    const entries = [...this.bindings];
    if (entries.length <= 4) return entries;
    const rank = new Map(entries.map(([name]) => [name, iterationRank(name)]));
    return entries.sort(([left], [right]) => rank.get(left)! - rank.get(right)!);
  }

  /** Quirk 20 §7.10: of several clashes the last in the iteration of the later map. */
  private lastClash(other: FreeMap): string | undefined {
    let clash: string | undefined;
    for (const [name] of other.entriesAsListed()) if (this.bindings.has(name)) clash = name;
    return clash;
  }
}
