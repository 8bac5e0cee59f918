/** The operations on elements that are compared. */
interface ComparedKind<T> {
  /** The pattern holds nothing that could vary: equality decides. */
  isConcrete(pattern: T): boolean;
  equal(one: T, other: T): boolean;
  /** The same for equal elements; absent if elements have no short hash. */
  readonly hashOf?: (element: T) => number;
}

/** From this many pairs on it pays to hash the elements. */
const manyPairs = 1_024;

/**
 * Finds the places in a long list that may equal an element.
 *
 * PERF: each element of a pattern with many elements of a large set would be compared with each of the set's.
 *
 * @spec 22 §1.8
 */
export class ElementPlaces<T> {
  readonly #kind: ComparedKind<T>;
  readonly #hashOf: (element: T) => number;
  readonly #targets: readonly T[];
  readonly #byHash = new Map<number, number[]>();
  readonly #ofPatterns = new Map<T, readonly number[]>();

  private constructor(kind: ComparedKind<T>, hashOf: (element: T) => number, targets: readonly T[]) {
    this.#kind = kind;
    this.#hashOf = hashOf;
    this.#targets = targets;
    for (let place = 0; place < targets.length; place += 1) {
      const hash = hashOf(targets[place]!);
      const places = this.#byHash.get(hash);
      if (places === undefined) this.#byHash.set(hash, [place]);
      else places.push(place);
    }
  }

  /** @returns `undefined` where there are few pairs, or elements have no hash */
  static of<T>(kind: ComparedKind<T>, targets: readonly T[], patterns: readonly T[]): ElementPlaces<T> | undefined {
    const { hashOf } = kind;
    if (hashOf === undefined || targets.length * patterns.length < manyPairs) return undefined;
    return new ElementPlaces(kind, hashOf, targets);
  }

  /** The places of targets that may equal a pattern, in their order; `undefined` for a pattern that may match others. */
  for(pattern: T): readonly number[] | undefined {
    if (!this.#kind.isConcrete(pattern)) return undefined;
    let places = this.#ofPatterns.get(pattern);
    if (places === undefined) {
      places = this.#byHash.get(this.#hashOf(pattern)) ?? [];
      this.#ofPatterns.set(pattern, places);
    }
    return places;
  }

  /** Whether a target equals one at the given places. */
  equalsOne(target: T, isAmong: (place: number) => boolean): boolean {
    const places = this.#byHash.get(this.#hashOf(target)) ?? [];
    return places.some((place) => isAmong(place) && this.#kind.equal(target, this.#targets[place]!));
  }
}

/** The first of some places from one on; of all places, where none are given. */
export function placeFrom(places: readonly number[] | undefined, from: number): number {
  if (places === undefined) return from;
  for (let i = 0; i < places.length; i += 1) if (places[i]! >= from) return places[i]!;
  return Number.POSITIVE_INFINITY;
}
