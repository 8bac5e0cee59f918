/** Numbers that a seed and a name decide; other names give other numbers, so that one use never shifts another. */
export class SeededRandom {
  #a: number;
  #b: number;
  #c: number;
  #d: number;

  constructor(seed: number, name: string) {
    let hash = 0x811c9dc5 ^ Math.trunc(seed / 2 ** 32);
    for (const character of `${seed} ${name}`) hash = Math.imul(hash ^ character.codePointAt(0)!, 0x01000193);
    const next = () => {
      hash = (hash + 0x9e3779b9) | 0;
      let mixed = Math.imul(hash ^ (hash >>> 16), 0x21f0aaad);
      mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
      return (mixed ^ (mixed >>> 15)) >>> 0;
    };
    [this.#a, this.#b, this.#c, this.#d] = [next(), next(), next(), next()];
    for (let round = 0; round < 8; round += 1) this.unit();
  }

  /** At least 0, below 1. */
  unit(): number {
    const sum = (((this.#a + this.#b) | 0) + this.#d) | 0;
    this.#d = (this.#d + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = (((this.#c << 21) | (this.#c >>> 11)) + sum) | 0;
    return (sum >>> 0) / 2 ** 32;
  }

  /** A whole number, at least 0. */
  below(limit: number): number {
    return Math.floor(this.unit() * limit);
  }

  /** A whole number, both ends included. */
  from(least: number, most: number): number {
    return least + this.below(most - least + 1);
  }

  chance(share: number): boolean {
    return this.unit() < share;
  }

  pick<Item>(items: readonly Item[]): Item {
    return items[this.below(items.length)]!;
  }

  /** All of them, in another order. */
  shuffled<Item>(items: readonly Item[]): Item[] {
    const all = [...items];
    for (let index = all.length - 1; index > 0; index -= 1) {
      const other = this.below(index + 1);
      [all[index], all[other]] = [all[other]!, all[index]!];
    }
    return all;
  }
}
