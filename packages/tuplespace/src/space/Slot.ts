/** What a journal entry did; a value of 0 or more is the place of a removed item. */
const populated = -1;
const pushed = -2;

/** A list of the hot store as a journal knows it. */
interface Revertible {
  items: unknown[] | undefined;
}

/**
 * Remembers the changes of a hot store, so that it can go back to an earlier moment.
 *
 * It stands in for the reference's copies of whole maps: a soft checkpoint costs nothing, and going back costs
 * what was done since.
 *
 * @spec 30 §1.2 (snapshot), §3.5
 */
export class Journal {
  private readonly slots: Revertible[] = [];
  private readonly places: number[] = [];
  private readonly removed: unknown[] = [];
  /** Off until the first checkpoint: before it there is nothing to go back to. */
  isOn = false;

  get length(): number {
    return this.slots.length;
  }

  add(slot: Revertible, place: number, item: unknown): void {
    this.slots.push(slot);
    this.places.push(place);
    this.removed.push(item);
  }

  /** Undoes everything after the first `length` entries. */
  revert(length: number): void {
    for (let i = this.slots.length - 1; i >= length; i -= 1) {
      const slot = this.slots[i]!;
      const place = this.places[i]!;
      if (place === populated) slot.items = undefined;
      else if (place === pushed) slot.items!.pop();
      else slot.items!.splice(place, 0, this.removed[i]);
    }
    this.slots.length = length;
    this.places.length = length;
    this.removed.length = length;
  }
}

/**
 * One list of the hot store: data of a channel, joins of a channel, or continuations of a channel list.
 *
 * `items` is `undefined` until the key has an entry in the overlay; then it holds the entry, **newest last**,
 * so that the usual operations work at the array's end. Where the protocol speaks of list order, walk it from
 * the end.
 *
 * @spec 30 §1.2
 */
export class Slot<Item> implements Revertible {
  items: Item[] | undefined = undefined;

  constructor(private readonly journal: Journal) {}

  /** Makes the entry from the history value, which is in list order. */
  populate(history: readonly Item[]): Item[] {
    const items: Item[] = [];
    for (let i = history.length - 1; i >= 0; i -= 1) items.push(history[i]!);
    this.items = items;
    if (this.journal.isOn) this.journal.add(this, populated, undefined);
    return items;
  }

  /** Puts an item at the head of the list, which must be populated. */
  push(item: Item): void {
    this.items!.push(item);
    if (this.journal.isOn) this.journal.add(this, pushed, undefined);
  }

  /** Removes the item at a place of the array. */
  removeAt(place: number): void {
    const items = this.items!;
    const item = items[place];
    if (place === items.length - 1) items.pop();
    else items.splice(place, 1);
    if (this.journal.isOn) this.journal.add(this, place, item);
  }
}
