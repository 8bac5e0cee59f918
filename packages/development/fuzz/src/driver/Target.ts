/** A function that takes any bytes, with an oracle that checks how it took them. */
export interface Target {
  readonly name: string;
  /** The input and the property, in one line. */
  readonly about: string;
  /** Cheap ones are owed 1,000,000 inputs, dear ones 100,000. */
  readonly cost: "cheap" | "expensive";
  /** The files under test, as beginnings of paths below the floor without `src`, such as `rholang/syntax/`; `!` begins an exception. */
  readonly files: readonly string[];
  /** Words that inputs are made of, for targets that read text or tagged bytes. */
  readonly words?: readonly (string | Uint8Array)[];
  /** Inputs to begin with, all computed. */
  readonly seeds?: () => Iterable<Uint8Array>;
  /** The result of the last input, for targets that look for extreme inputs: a run goes on from the best ones. */
  readonly climbs?: () => number;
  /** The longest input worth trying. */
  readonly maxBytes?: number;

  /**
   * Feeds one input.
   *
   * @throws anything where the code under test did something else than it must
   */
  run(input: Uint8Array): void | Promise<void>;

  /** An input as a reader wants to see it. */
  show(input: Uint8Array): string;
}

/** The oracle's error if the code is wrong without throwing. */
export class Mismatch extends Error {
  override readonly name = "Mismatch";
}

/**
 * @param claim the property that must hold, as a sentence
 * @throws {Mismatch} if it does not
 */
export function must(holds: boolean, claim: string | (() => string)): asserts holds {
  if (!holds) throw new Mismatch(typeof claim === "string" ? claim : claim());
}

/** Lets errors of the given kinds pass as answers; all others are faults. */
export function refusedAs(error: unknown, ...kinds: (new (...args: never[]) => Error)[]): void {
  if (!kinds.some((kind) => error instanceof kind)) throw error;
}
