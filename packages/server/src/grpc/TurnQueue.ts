/** Begins so many pieces of work in one turn of the event loop, and the others in the next ones, in their order. */
export class TurnQueue {
  readonly #mostOfTurn: number;
  readonly #waiting: (() => void)[] = [];
  #begun = 0;

  constructor(mostOfTurn: number) {
    this.#mostOfTurn = mostOfTurn;
  }

  begin(work: () => void): void {
    if (this.#begun >= this.#mostOfTurn) {
      this.#waiting.push(work);
      return;
    }
    if (this.#begun === 0) setImmediate(() => this.#nextTurn());
    this.#begun += 1;
    work();
  }

  #nextTurn(): void {
    this.#begun = 0;
    for (const work of this.#waiting.splice(0, this.#mostOfTurn)) this.begin(work);
  }
}
