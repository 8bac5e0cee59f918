/**
 * Begins a bounded number of pieces of work in one turn of the event loop, and the others in the next ones: one of each
 * client in turn, each client's in their order.
 */
export class TurnQueue {
  readonly #maxOfTurn: number;
  /** In the order of their turns. */
  readonly #waiting = new Map<string | undefined, (() => void)[]>();
  #begun = 0;

  constructor(maxOfTurn: number) {
    this.#maxOfTurn = maxOfTurn;
  }

  /** @param client all without one are one */
  begin(work: () => void, client?: string): void {
    if (this.#begun >= this.#maxOfTurn) {
      const waiting = this.#waiting.get(client);
      if (waiting === undefined) this.#waiting.set(client, [work]);
      else waiting.push(work);
      return;
    }
    if (this.#begun === 0) setImmediate(() => this.#nextTurn());
    this.#begun += 1;
    work();
  }

  #nextTurn(): void {
    this.#begun = 0;
    while (this.#begun < this.#maxOfTurn) {
      const [next] = this.#waiting;
      if (next === undefined) return;
      const [client, works] = next;
      const work = works.shift()!;
      this.#waiting.delete(client);
      if (works.length > 0) this.#waiting.set(client, works);
      this.begin(work, client);
    }
  }
}
