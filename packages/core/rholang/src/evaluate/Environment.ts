import type { Par } from "@vedette/terms";

/**
 * The values of bound variables while a term is evaluated: de Bruijn index 0 is the value put last.
 *
 * Immutable to its users. Environments that grow out of each other share one backing list: the one at its end appends
 * in place, any other copies its own part first, so that putting is cheap and branches do not see each other's values.
 *
 * @spec 21 §3.1
 */
export class Environment {
  private constructor(
    /** `undefined` for those that are made later. */
    private readonly values: (Par | undefined)[],
    /** Number of values put so far. */
    readonly level: number,
    /** Binders crossed since the start of a substitution; their variables have no value yet. */
    readonly shift: number,
    private readonly later: LaterValues | undefined,
  ) {}

  static readonly empty: Environment = new Environment([], 0, 0, undefined);

  /** An environment with these values, of which the last gets index 0. Takes the list over: do not change it later. */
  static of(values: Par[]): Environment {
    return values.length === 0 ? Environment.empty : new Environment(values, values.length, 0, undefined);
  }

  /** The value of the variable with this de Bruijn index, or `undefined` where it has none. */
  get(index: number): Par | undefined {
    const position = this.level + this.shift - index - 1;
    if (position < 0 || position >= this.level) return undefined;
    return this.values[position] ?? this.later!.at(position);
  }

  put(value: Par): Environment {
    const values = this.own();
    values.push(value);
    return new Environment(values, this.level + 1, this.shift, this.later);
  }

  /** Puts one value after the other, so that the last gets index 0. */
  putAll(added: readonly Par[]): Environment {
    if (added.length === 0) return this;
    const values = this.own();
    for (let i = 0; i < added.length; i += 1) values.push(added[i]!);
    return new Environment(values, this.level + added.length, this.shift, this.later);
  }

  /**
   * As {@link putAll}, of values that are made at their first use.
   *
   * @param make by the place among them
   */
  putLater(count: number, make: (place: number) => Par): Environment {
    const values = this.own();
    for (let i = 0; i < count; i += 1) values.push(undefined);
    const later = new LaterValues(this.level, make, this.later);
    return new Environment(values, this.level + count, this.shift, later);
  }

  /** The same values seen from below `count` more binders. */
  shifted(count: number): Environment {
    return count === 0 ? this : new Environment(this.values, this.level, this.shift + count, this.later);
  }

  /** The backing list, free to be appended to. */
  private own(): (Par | undefined)[] {
    if (this.level === 0) return [];
    return this.values.length === this.level ? this.values : this.values.slice(0, this.level);
  }
}

/** Values that are made at their first use, by their positions in the list of all. */
class LaterValues {
  private readonly made = new Map<number, Par>();

  constructor(
    private readonly first: number,
    private readonly make: (place: number) => Par,
    private readonly earlier: LaterValues | undefined,
  ) {}

  at(position: number): Par {
    if (position < this.first) return this.earlier!.at(position);
    let value = this.made.get(position);
    if (value === undefined) {
      value = this.make(position - this.first);
      this.made.set(position, value);
    }
    return value;
  }
}
