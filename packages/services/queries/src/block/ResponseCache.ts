/** Room for answers, in bytes or UTF-16 units. */
const room = 8 << 20;

interface Kept<Answer> {
  readonly answer: Answer;
  readonly size: number;
}

/**
 * Answers that are kept until the chain changes, or until there is no more room: then all are dropped. One that is
 * being made is kept without taking room, so that further requests wait for the same one.
 */
export class ResponseCache<Answer> {
  readonly #version: () => number;
  readonly #kept = new Map<string, Kept<Answer>>();
  #used = 0;
  #seen = 0;

  /** @param version another number whenever the chain has changed */
  constructor(version: () => number) {
    this.#version = version;
  }

  find(key: string): Answer | undefined {
    const version = this.#version();
    if (this.#seen !== version) {
      this.#seen = version;
      this.#forget();
    }
    return this.#kept.get(key)?.answer;
  }

  /** Keeps one that is being made. */
  begin(key: string, answer: Answer): void {
    this.#kept.set(key, { answer, size: 0 });
  }

  /** Whether this one is kept: nothing has changed since it was begun. */
  has(key: string, answer: Answer): boolean {
    return this.#kept.get(key)?.answer === answer;
  }

  /** @returns whether there is room for an answer of its size */
  keep(key: string, answer: Answer, size: number): boolean {
    if (size > room) return false;
    if (this.#used + size > room) this.#forget();
    this.#used += size;
    this.#kept.set(key, { answer, size });
    return true;
  }

  /** Drops it, if it is still the one that is kept. */
  drop(key: string, answer: Answer): void {
    const kept = this.#kept.get(key);
    if (kept?.answer !== answer) return;
    this.#used -= kept.size;
    this.#kept.delete(key);
  }

  #forget(): void {
    this.#kept.clear();
    this.#used = 0;
  }
}
