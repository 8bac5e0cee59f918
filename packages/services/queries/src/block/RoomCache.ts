/** How much may be kept. */
export interface Room {
  /** Of all together, in whatever unit they are counted by. */
  readonly units: number;
  readonly entries: number;
}

/** What was made, the oldest dropped first when it takes more than its room. */
export class RoomCache<Made> {
  readonly #room: Room;
  readonly #entries = new Map<string, { readonly made: Made; readonly units: number }>();
  #used = 0;

  constructor(room: Room) {
    this.#room = room;
  }

  get(key: string): Made | undefined {
    return this.#entries.get(key)?.made;
  }

  /** @param units by which it counts */
  set(key: string, made: Made, units: number): void {
    this.#used -= this.#entries.get(key)?.units ?? 0;
    this.#entries.set(key, { made, units });
    this.#used += units;
    for (const [oldKey, old] of this.#entries) {
      if (this.#used <= this.#room.units && this.#entries.size <= this.#room.entries) break;
      this.#entries.delete(oldKey);
      this.#used -= old.units;
    }
  }
}
