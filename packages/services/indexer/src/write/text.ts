/** PostgreSQL has no character of number 0 in a text. */
export function storedText(text: string): string {
  return text.includes("\0") ? text.replaceAll("\0", "\uFFFD") : text;
}

/** A time as columns have it. @param milliseconds since 1970; what no calendar has becomes its first moment */
export function timestampText(milliseconds: bigint): string {
  const isDate = milliseconds >= 0n && milliseconds < lastMilliseconds;
  return new Date(isDate ? Number(milliseconds) : 0).toISOString().slice(0, -1);
}

/** The end of the year 9999. */
const lastMilliseconds = 253_402_300_800_000n;

/** A number of 64 bits: what is beyond becomes the nearest one. */
export function storedInteger(value: bigint): bigint {
  return value > maxInteger ? maxInteger : value < -maxInteger - 1n ? -maxInteger - 1n : value;
}

const maxInteger = 2n ** 63n - 1n;
