/** Keeps values of known sizes, and drops the least recently used ones when they take more than their room. */
export class ReportCache<T> {
  readonly #roomBytes: number;
  readonly #entries = new Map<string, { readonly value: T; readonly bytes: number }>();
  #used = 0;

  constructor(roomBytes: number) {
    this.#roomBytes = roomBytes;
  }

  get(key: string): T | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.value;
  }

  /** What is larger than the whole room is not kept. */
  set(key: string, value: T, bytes: number): void {
    this.#drop(key);
    if (bytes > this.#roomBytes) return;
    this.#entries.set(key, { value, bytes });
    this.#used += bytes;
    for (const oldest of this.#entries.keys()) {
      if (this.#used <= this.#roomBytes) break;
      this.#drop(oldest);
    }
  }

  #drop(key: string): void {
    this.#used -= this.#entries.get(key)?.bytes ?? 0;
    this.#entries.delete(key);
  }
}
