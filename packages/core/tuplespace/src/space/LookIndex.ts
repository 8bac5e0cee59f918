import { type Finder, type KeyedValue, type Look, RangeLook } from "./finders.js";
import { placeOf } from "./placeOf.js";
import { type Ordered, RangeTree } from "./RangeTree.js";

/** The number of tries below which nothing is recorded. */
const fewTries = 8;

/** The result of a search: of the items up to one number, those after another number are refused. */
interface Searched {
  readonly upTo: number;
  readonly after: number;
}

const none: readonly number[] = [];

/** The numbers of items that fit one criterion of a search, from the newest on. */
interface Cursor {
  /** Below zero: there is none left. */
  newest: number;
  next(): void;
}

/**
 * Finds items of a list by what can be seen of them, the newest first.
 *
 * The list grows at its end and loses items anywhere; items are known by numbers that grow, since their places change.
 *
 * @cost of an item: a number, and one for each of its looks
 */
export class LookIndex<Item> {
  private readonly numbers: number[] = [];
  private readonly byLook = new Map<Look, number[]>();
  readonly #byRange = new Map<string, RangeTree>();
  /** By what was looked for. */
  readonly #searched = new WeakMap<object, Searched>();
  private nextNumber = 0;

  /** @param looksOf the same ones for an item every time */
  constructor(
    items: readonly Item[],
    readonly looksOf: (item: Item) => readonly Finder[],
  ) {
    for (const item of items) this.push(item);
  }

  push(item: Item): void {
    const number = this.nextNumber++;
    this.numbers.push(number);
    for (const choice of this.looksOf(item)) {
      const look = this.#chosen(choice);
      if (look instanceof RangeLook) this.#rangesOf(look.key).push(number, look.range);
      else {
        const same = this.byLook.get(look);
        if (same === undefined) this.byLook.set(look, [number]);
        else same.push(number);
      }
    }
  }

  /** Removes the item that was at a place of the list. */
  removeAt(place: number, item: Item): void {
    const number = this.numbers[place]!;
    if (place === this.numbers.length - 1) this.numbers.pop();
    else this.numbers.splice(place, 1);
    for (const choice of this.looksOf(item)) {
      const looks = choice instanceof RangeLook ? choice.looks : typeof choice === "object" ? choice : [choice];
      const isRemoved = looks.some((look) => this.#remove(look, number));
      if (!isRemoved && choice instanceof RangeLook) this.#removeRange(choice, number);
    }
  }

  /** Returns, of several looks, the one that the fewest items show. @param looks at least one */
  rarest(looks: readonly Look[]): Look {
    let rarest = looks[0]!;
    let fewest = this.byLook.get(rarest)?.length ?? 0;
    for (let i = 1; i < looks.length && fewest > 0; i += 1) {
      const count = this.byLook.get(looks[i]!)?.length ?? 0;
      if (count < fewest) [rarest, fewest] = [looks[i]!, count];
    }
    return rarest;
  }

  #chosen(choice: Finder): Look | RangeLook {
    if (typeof choice !== "object") return choice;
    if (!(choice instanceof RangeLook)) return this.rarest(choice);
    if (choice.looks.length === 0) return choice;
    const look = this.rarest(choice.looks);
    return (this.byLook.get(look)?.length ?? 0) < fewTries ? look : choice;
  }

  #rangesOf(key: string): RangeTree {
    let tree = this.#byRange.get(key);
    if (tree === undefined) this.#byRange.set(key, (tree = new RangeTree()));
    return tree;
  }

  #removeRange({ key }: RangeLook, number: number): void {
    const tree = this.#rangesOf(key);
    tree.remove(number);
    if (tree.isEmpty) this.#byRange.delete(key);
  }

  /** @returns whether the item is found by this look */
  #remove(look: Look, number: number): boolean {
    const same = this.byLook.get(look);
    const place = same === undefined ? 0 : placeOf(same, number);
    if (same?.[place] !== number) return false;
    if (same.length === 1) this.byLook.delete(look);
    else same.splice(place, 1);
    return true;
  }

  /**
   * Calls with the places of the items that show one of the looks, or have a range that holds a value, the newest first,
   * until something is found. The list must not change meanwhile.
   *
   * @param looks an item that shows two of them may be called with twice
   */
  find<Found>(
    looks: readonly Look[],
    at: (place: number) => Found | undefined,
    values: readonly KeyedValue[] = [],
  ): Found | undefined {
    const cursors = this.#cursorsOf(looks, values);
    for (let newest = newestOf(cursors); newest !== undefined; newest = newestOf(cursors)) {
      const found = at(placeOf(this.numbers, newest.newest));
      if (found !== undefined) return found;
      newest.next();
    }
    return undefined;
  }

  #cursorsOf(looks: readonly Look[], values: readonly KeyedValue[]): readonly Cursor[] {
    const cursors: Cursor[] = [];
    for (const look of looks) {
      const list = this.byLook.get(look);
      if (list !== undefined) cursors.push(new ListCursor(list));
    }
    for (const { key, value } of values) {
      const tree = this.#byRange.get(key);
      if (tree !== undefined) cursors.push(new RangeCursor(tree, value));
    }
    return cursors;
  }

  /** As {@link find}, all of them. */
  placesOf(looks: readonly Look[]): readonly number[] {
    const places: number[] = [];
    this.find(looks, (place) => {
      places.push(place);
    });
    return places;
  }

  /**
   * As {@link find}, for what an item fits always or never: items that were refused once are not tried again.
   *
   * @param wanted what is looked for
   * @param lookOf gives a look that all items show which fit; `undefined` where there is none
   */
  findFor<Found>(
    wanted: object,
    lookOf: () => Look | undefined,
    at: (place: number) => Found | undefined,
  ): Found | undefined {
    const known = this.#searched.get(wanted);
    const newest = this.nextNumber - 1;
    if (known !== undefined && known.upTo === newest && known.after < 0) return undefined;
    const look = lookOf();
    const numbers = look === undefined ? this.numbers : (this.byLook.get(look) ?? none);
    let tries = 0;
    for (let end = nextPlace(numbers, numbers.length - 1, known); end >= 0; end = nextPlace(numbers, end - 1, known)) {
      tries += 1;
      const found = at(placeOf(this.numbers, numbers[end]!));
      if (found === undefined) continue;
      if (tries > fewTries) this.#searched.set(wanted, { upTo: newest, after: numbers[end]! });
      return found;
    }
    if (known !== undefined || tries > fewTries) this.#searched.set(wanted, { upTo: newest, after: -1 });
    return undefined;
  }
}

function newestOf(cursors: readonly Cursor[]): Cursor | undefined {
  let newest: Cursor | undefined;
  for (const cursor of cursors) if (cursor.newest > (newest?.newest ?? -1)) newest = cursor;
  return newest;
}

class ListCursor implements Cursor {
  newest: number;
  readonly #list: readonly number[];
  #end: number;

  /** @param list not empty */
  constructor(list: readonly number[]) {
    this.#list = list;
    this.#end = list.length - 1;
    this.newest = list[this.#end]!;
  }

  next(): void {
    this.#end -= 1;
    this.newest = this.#end < 0 ? -1 : this.#list[this.#end]!;
  }
}

class RangeCursor implements Cursor {
  newest: number;
  readonly #tree: RangeTree;
  readonly #value: Ordered;

  constructor(tree: RangeTree, value: Ordered) {
    this.#tree = tree;
    this.#value = value;
    this.newest = tree.newestBelow(Number.POSITIVE_INFINITY, value);
  }

  next(): void {
    this.newest = this.#tree.newestBelow(this.newest, this.#value);
  }
}

/** The last place, from one on downwards, that is not known to be refused; below zero where there is none. */
function nextPlace(numbers: readonly number[], end: number, known: Searched | undefined): number {
  if (end < 0 || known === undefined) return end;
  return numbers[end]! > known.upTo || numbers[end]! <= known.after ? end : lastUpTo(numbers, known.after);
}

/** The place of the last number that is not above another one; -1 where there is none. */
function lastUpTo(numbers: readonly number[], most: number): number {
  const place = placeOf(numbers, most);
  return numbers[place]! > most ? place - 1 : place;
}
