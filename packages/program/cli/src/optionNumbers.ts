import { InvalidArgumentError } from "commander";

const largestInt64 = 2n ** 63n - 1n;

/** An amount of phlo. */
export function parsePhlo(text: string): bigint {
  if (!/^\d{1,19}$/.test(text) || BigInt(text) > largestInt64)
    throw new InvalidArgumentError(`It must be a number from 0 to ${largestInt64}.`);
  return BigInt(text);
}

/** A count, or a number of milliseconds. */
export function parseCount(text: string): number {
  if (!/^\d{1,6}$/.test(text)) throw new InvalidArgumentError("It must be a whole number.");
  return Number(text);
}
