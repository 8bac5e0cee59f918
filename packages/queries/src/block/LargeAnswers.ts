import { Overload } from "../explore/Overload.js";

/** The last answer is sent to all that ask for it within this time; shorter where something is missing. */
const keptMs = { whole: 5_000, incomplete: 1_000 } as const;
/** Answers that are made or wait to be made, each for all that ask for it. */
const maxWaiting = 16;

/** An answer that takes much time and memory. */
export interface LargeAnswer {
  /** Whether nothing is missing that may be known soon. */
  readonly isComplete: boolean;
}

/**
 * Makes large answers: one at a time, each once for all that ask for it, and so many wait at most. The last one is kept
 * for a while.
 *
 * @spec 50 §1.9
 */
export class LargeAnswers<Answer extends LargeAnswer> {
  readonly #answers = new Map<string, Promise<Answer>>();
  /** When all that wait have been made. */
  #free: Promise<void> = Promise.resolve();
  #forgetLast: (() => void) | undefined;

  /**
   * @param key another one for each content
   * @param make begins when all before it are made
   * @throws {Overload}
   */
  find(key: string, make: () => Promise<Answer>): Promise<Answer> {
    return this.#answers.get(key) ?? this.#begin(key, make);
  }

  #begin(key: string, make: () => Promise<Answer>): Promise<Answer> {
    if (this.#answers.size >= maxWaiting) throw new Overload("Too many queries are waiting; try again later.");
    const answer = this.#free.then(make);
    this.#answers.set(key, answer);
    const forget = () => {
      if (this.#answers.get(key) === answer) this.#answers.delete(key);
    };
    this.#free = answer.then(({ isComplete }) => {
      this.#forgetLast?.();
      this.#forgetLast = forget;
      setTimeout(forget, keptMs[isComplete ? "whole" : "incomplete"]).unref();
    }, forget);
    return answer;
  }
}
