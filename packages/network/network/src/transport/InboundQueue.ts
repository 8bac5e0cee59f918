/**
 * Messages of one peer that are not handled yet; a full queue drops what is new.
 *
 * Items are handled unordered, up to `consumers` at the same time.
 *
 * @spec 10 §3.4
 */
export class InboundQueue<Item> {
  readonly #capacity: number;
  readonly #consumers: number;
  readonly #handle: (item: Item) => Promise<void>;
  readonly #waiting: Item[] = [];
  #running = 0;

  /** @param handle must not reject: effects of a message are reported by events, not by errors here */
  constructor(capacity: number, consumers: number, handle: (item: Item) => Promise<void>) {
    this.#capacity = capacity;
    this.#consumers = consumers;
    this.#handle = handle;
  }

  /** Whether nothing waits and nothing is being handled. */
  get idle(): boolean {
    return this.#running === 0 && this.#waiting.length === 0;
  }

  /** @returns whether the item was taken */
  offer(item: Item): boolean {
    if (this.#waiting.length >= this.#capacity) return false;
    this.#waiting.push(item);
    this.#pump();
    return true;
  }

  #pump(): void {
    while (this.#running < this.#consumers) {
      const item = this.#waiting.shift();
      if (item === undefined) return;
      this.#running++;
      void this.#run(item);
    }
  }

  async #run(item: Item): Promise<void> {
    try {
      await this.#handle(item);
    } catch {
      // The handler has reported it already.
    } finally {
      this.#running--;
      this.#pump();
    }
  }
}
