import type { Look } from "./looks.js";

/** The number of tries below which nothing is recorded. */
const fewTries = 8;

/** The result of a search: of the items up to one number, those after another number are refused. */
interface Searched {
  readonly upTo: number;
  readonly after: number;
}

const none: readonly number[] = [];

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
  /** By what was looked for. */
  readonly #searched = new WeakMap<object, Searched>();
  private nextNumber = 0;

  /** @param looksOf the same ones for an item every time; a list is of looks of which one is enough to find it by */
  constructor(
    items: readonly Item[],
    readonly looksOf: (item: Item) => readonly (Look | readonly Look[])[],
  ) {
    for (const item of items) this.push(item);
  }

  push(item: Item): void {
    const number = this.nextNumber++;
    this.numbers.push(number);
    for (const choice of this.looksOf(item)) {
      const look = typeof choice === "object" ? this.rarest(choice) : choice;
      const same = this.byLook.get(look);
      if (same === undefined) this.byLook.set(look, [number]);
      else same.push(number);
    }
  }

  /** Removes the item that was at a place of the list. */
  removeAt(place: number, item: Item): void {
    const number = this.numbers[place]!;
    if (place === this.numbers.length - 1) this.numbers.pop();
    else this.numbers.splice(place, 1);
    for (const choice of this.looksOf(item)) {
      if (typeof choice === "object") choice.some((look) => this.#remove(look, number));
      else this.#remove(choice, number);
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
   * Calls with the places of the items that show one of the looks, the newest first, until something is found. The list
   * must not change meanwhile.
   *
   * @param looks an item that shows two of them may be called with twice
   */
  find<Found>(looks: readonly Look[], at: (place: number) => Found | undefined): Found | undefined {
    const lists: (readonly number[])[] = [];
    for (const look of looks) {
      const list = this.byLook.get(look);
      if (list !== undefined) lists.push(list);
    }
    const ends = lists.map((list) => list.length - 1);
    for (;;) {
      let newest = -1;
      for (let i = 0; i < lists.length; i += 1) {
        const end = ends[i]!;
        if (end >= 0 && (newest < 0 || lists[i]![end]! > lists[newest]![ends[newest]!]!)) newest = i;
      }
      if (newest < 0) return undefined;
      const found = at(placeOf(this.numbers, lists[newest]![ends[newest]!]!));
      if (found !== undefined) return found;
      ends[newest]! -= 1;
    }
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

/** Returns the place of a number in a list that grows. */
export function placeOf(numbers: readonly number[], number: number): number {
  let low = 0;
  let high = numbers.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (numbers[middle]! < number) low = middle + 1;
    else high = middle;
  }
  return low;
}
