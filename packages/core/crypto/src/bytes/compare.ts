/**
 * Orders bytes as unsigned numbers, the first difference deciding; a prefix comes first.
 *
 * @spec 30 §2
 * @returns less than, equal to or greater than 0
 */
export function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const difference = a[i]! - b[i]!;
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

/** Whether two runs of bytes have the same length and content; not for secrets. @spec 30 §2 */
export function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a === b) return true;
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

/** Orders bytes by length first, then as {@link compareBytes} (the `ordLB` of the tuple space). @spec 30 (opening) */
export function compareByLengthThenBytes(a: Uint8Array, b: Uint8Array): number {
  return a.length !== b.length ? a.length - b.length : compareBytes(a, b);
}

/**
 * Orders bytes as numbers from -128 to 127 (0x80 < 0xff < 0x00 < 0x7f), the first difference deciding; a prefix comes
 * first: the order of rnode's byte strings.
 *
 * @spec 20 §9.1, 30 §A.6, 40 §7.3, §10.1, 41 §5.2
 */
export function compareSignedBytes(a: Uint8Array, b: Uint8Array): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) if (a[i] !== b[i]) return ((a[i]! << 24) >> 24) - ((b[i]! << 24) >> 24);
  return a.length - b.length;
}
