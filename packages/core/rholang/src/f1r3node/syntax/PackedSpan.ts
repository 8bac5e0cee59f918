/**
 * A place in a text: the offset of its first UTF-16 unit and that behind its last, in one number, so that scopes and
 * maps of free variables, which store places as numbers, hold it.
 */
export type PackedSpan = number;

const unit = 2 ** 26;

/** The longest text with offsets that fit. */
export const longestSource = unit - 1;

export function packSpan(start: number, end: number): PackedSpan {
  return start * unit + end;
}

export function startOf(span: PackedSpan): number {
  return Math.floor(span / unit);
}

export function endOf(span: PackedSpan): number {
  return span % unit;
}

/** The place of names and of remainders: their first unit alone. @spec 61 §4 */
export function pointOf(span: PackedSpan): PackedSpan {
  const start = startOf(span);
  return packSpan(start, start);
}

/** Represents `1:1 - 1:1`, which f1r3node shows for every wildcard. @spec 61 §4 */
export const wildcardSpan: PackedSpan = packSpan(0, 0);
