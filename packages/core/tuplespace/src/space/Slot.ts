import type { Finder } from "./finders.js";
import { LookIndex } from "./LookIndex.js";

/** With more items than these an index pays. */
const many = 8;

/** The kind of a journal entry; a value of 0 or more is the place of a removed item. */
const populated = -1;
const pushed = -2;
const none: readonly never[] = [];

/** A list of the hot store as a journal knows it. */
interface Revertible {
  own: unknown[] | undefined;
  isPopulated: boolean;
  arrivedAt: number;
  removedAt: number;
  forgetIndex(): void;
}

/**
 * Remembers the changes of a hot store, so that it can go back to an earlier moment.
 *
 * It replaces rnode's copies of whole maps: a soft checkpoint costs nothing, and going back costs the changes since.
 *
 * @spec 30 §1.2 (snapshot), §3.5
 */
export class Journal {
  private readonly slots: Revertible[] = [];
  private readonly places: number[] = [];
  private readonly removed: unknown[] = [];
  /** Off until the first checkpoint: before it there is nothing to go back to. */
  isOn = false;
  /** Counts what came into any list or went out of it, also what did by going back; never set back. */
  changes = 0;
  /** How often it went back. */
  reverts = 0;

  get length(): number {
    return this.slots.length;
  }

  add(slot: Revertible, place: number, item: unknown): void {
    this.slots.push(slot);
    this.places.push(place);
    this.removed.push(item);
  }

  /** Forgets everything: there is nothing to go back to any more. */
  clear(): void {
    this.slots.length = 0;
    this.places.length = 0;
    this.removed.length = 0;
    this.isOn = false;
  }

  /** Undoes everything after the first `length` entries. */
  revert(length: number): void {
    if (this.slots.length > length) this.reverts += 1;
    for (let i = this.slots.length - 1; i >= length; i -= 1) {
      const slot = this.slots[i]!;
      const place = this.places[i]!;
      slot.forgetIndex();
      if (place === populated) slot.isPopulated = false;
      else if (place === pushed) {
        slot.own!.pop();
        slot.removedAt = ++this.changes;
      } else {
        slot.own!.splice(place, 0, this.removed[i]);
        slot.arrivedAt = ++this.changes;
      }
    }
    this.slots.length = length;
    this.places.length = length;
    this.removed.length = length;
  }
}

/**
 * One list of the hot store: data of a channel, joins of a channel, or continuations of a channel list.
 *
 * It reads through to the history value until it is changed. The lists here have the **newest item last**, so that
 * the usual operations work at the array's end. Where the protocol speaks of list order, walk them from the end.
 *
 * @spec 30 §1.2
 */
export class Slot<Item> implements Revertible {
  /** The history value once it was read. */
  history: readonly Item[] | undefined = undefined;
  /** The list of its own that it has after the first change. */
  own: Item[] | undefined = undefined;
  /** Whether rnode's overlay has an entry here; kept for lists of continuations on several channels only. */
  isPopulated = false;
  /** {@link Journal.changes} when an item last came into the list; 0 where all come from the history. */
  arrivedAt = 0;
  /** The same of an item that went out of it. */
  removedAt = 0;
  private index: LookIndex<Item> | undefined = undefined;

  constructor(private readonly journal: Journal) {}

  /** Takes the history value, which is given in list order. */
  read(history: readonly Item[]): readonly Item[] {
    const { length } = history;
    this.history = length === 0 ? none : length === 1 ? history : history.slice().reverse();
    return this.history;
  }

  /** Adds an item at the head of the list; its history value must have been read. */
  push(item: Item): void {
    this.own ??= this.history!.slice();
    this.own.push(item);
    this.index?.push(item);
    this.arrivedAt = ++this.journal.changes;
    if (this.journal.isOn) this.journal.add(this, pushed, undefined);
  }

  /** Removes the item at a place of the array. */
  removeAt(place: number): void {
    const own = (this.own ??= this.history!.slice());
    const item = own[place];
    if (place === own.length - 1) own.pop();
    else own.splice(place, 1);
    this.index?.removeAt(place, item!);
    this.removedAt = ++this.journal.changes;
    if (this.journal.isOn) this.journal.add(this, place, item);
  }

  /**
   * The index of a long list; `undefined` for a short one.
   *
   * @param looksOf always the same for this list
   */
  indexed(items: readonly Item[], looksOf: (item: Item) => readonly Finder[]): LookIndex<Item> | undefined {
    if (this.index === undefined && items.length > many) this.index = new LookIndex(items, looksOf);
    return this.index;
  }

  forgetIndex(): void {
    this.index = undefined;
  }

  markPopulated(): void {
    if (this.isPopulated) return;
    this.isPopulated = true;
    if (this.journal.isOn) this.journal.add(this, populated, undefined);
  }

  /** Whether the list holds the very items of the history value. */
  get isUnchanged(): boolean {
    const { own, history } = this;
    if (own === undefined) return true;
    if (history === undefined || history.length !== own.length) return false;
    for (let i = 0; i < own.length; i += 1) if (own[i] !== history[i]) return false;
    return true;
  }
}
