/** How much may be kept. */
export interface Room {
  /** The total of all, in the unit by which they are counted. */
  readonly units: number;
  readonly entries?: number;
}

/** Keeps what was made; drops the least recently used when all together take more than their room. */
export class RoomCache<Made> {
  readonly #room: Room;
  readonly #entries = new Map<string, { readonly made: Made; readonly units: number }>();
  #used = 0;

  constructor(room: Room) {
    this.#room = room;
  }

  get(key: string): Made | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.made;
  }

  /** A value larger than the whole room is not kept. @param units by which it counts */
  set(key: string, made: Made, units: number): void {
    this.#drop(key);
    if (units > this.#room.units) return;
    this.#entries.set(key, { made, units });
    this.#used += units;
    const { entries = Number.POSITIVE_INFINITY } = this.#room;
    for (const oldest of this.#entries.keys()) {
      if (this.#used <= this.#room.units && this.#entries.size <= entries) break;
      this.#drop(oldest);
    }
  }

  #drop(key: string): void {
    this.#used -= this.#entries.get(key)?.units ?? 0;
    this.#entries.delete(key);
  }
}
