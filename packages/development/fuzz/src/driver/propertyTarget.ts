import fc from "fast-check";
import { Choices } from "./Choices.js";
import type { Target } from "./Target.js";

/** A target with inputs that are values of an arbitrary of fast-check, made by the choices that the bytes represent. */
export interface PropertyTarget<T> extends Omit<Target, "run" | "show" | "words" | "seeds"> {
  readonly values: fc.Arbitrary<T>;
  /** @throws where the value was not treated as it must be */
  readonly check: (value: T) => void | Promise<void>;
  readonly showValue?: (value: T) => string;
}

// Which sizes and which edges an arbitrary prefers follows from this number; fast-check itself goes up from 2.
const bias = 4;
const shrinkSteps = 2_000;

export function propertyTarget<T>(options: PropertyTarget<T>): Target {
  const { values, check, showValue = fc.stringify, ...facts } = options;
  const made = (input: Uint8Array) => values.generate(new fc.Random(new Choices(input)), bias);
  return {
    maxBytes: 512,
    ...facts,
    run: (input) => check(made(input).value),
    show: (input) => {
      const value = made(input);
      return showValue(fails(check, value.value) ? shrunk(values, value, check) : value.value);
    },
  };
}

/** The smallest value on the way down that still fails; a check that waits is left as it is. */
function shrunk<T>(values: fc.Arbitrary<T>, first: fc.Value<T>, check: (value: T) => void | Promise<void>): T {
  let best = first;
  let steps = 0;
  for (let isSmaller = true; isSmaller; ) {
    isSmaller = false;
    for (const candidate of values.shrink(best.value, best.context)) {
      if ((steps += 1) > shrinkSteps) return best.value;
      if (!fails(check, candidate.value)) continue;
      best = candidate;
      isSmaller = true;
      break;
    }
  }
  return best.value;
}

function fails<T>(check: (value: T) => void | Promise<void>, value: T): boolean {
  try {
    const answer = check(value);
    if (answer !== undefined) answer.catch(() => {});
    return false;
  } catch {
    return true;
  }
}
