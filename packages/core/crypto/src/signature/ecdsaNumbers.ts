const numberSize = 32;
const sequenceTag = 0x30;
const integerTag = 0x02;

const curveOrder = bytesOf(0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n);
const halfOrder = bytesOf(0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n);

/**
 * Reads r and s of a DER signature as loosely as rnode does.
 *
 * The form is `30`, one byte of length, then two integers: `02`, one byte of length below 128, and the digits, as many
 * as the length states, but no more than 32 after the leading zeros.
 *
 * @spec 10 §1.2
 * @returns r and s, 32 bytes each; `undefined` if it is not a signature
 */
export function parseDerSignature(signature: Uint8Array): Uint8Array | undefined {
  // Quirk 10 §1.2: the whole's length is not looked at, integers may be padded or lack the zero that
  // makes them positive, and anything may follow.
  if (signature[0] !== sequenceTag || signature.length < 2) return undefined;
  const numbers = new Uint8Array(2 * numberSize);
  const afterR = readInteger(signature, 2, numbers, 0);
  if (afterR === undefined) return undefined;
  return readInteger(signature, afterR, numbers, numberSize) === undefined ? undefined : numbers;
}

/** Whether s is in the lower half of the curve's order. @spec 61 §1.1 */
export function hasLowS(numbers: Uint8Array): boolean {
  return isNotAbove(numbers.subarray(numberSize), halfOrder);
}

/** Writes r and s, 32 bytes each, as strict DER. @spec 10 §1.2 */
export function printDerSignature(numbers: Uint8Array): Uint8Array {
  const r = derInteger(numbers.subarray(0, numberSize));
  const s = derInteger(numbers.subarray(numberSize));
  return Uint8Array.from([sequenceTag, r.length + s.length, ...r, ...s]);
}

/**
 * The same signature with the lower of the two possible s, ready for the curve's arithmetic.
 *
 * @spec 10 §1.2
 * @returns `undefined` where r or s is 0 or not below the curve's order
 */
export function normalizeNumbers(numbers: Uint8Array): Uint8Array | undefined {
  const r = numbers.subarray(0, numberSize);
  const s = numbers.subarray(numberSize);
  if (!isScalar(r) || !isScalar(s)) return undefined;
  if (isNotAbove(s, halfOrder)) return numbers;
  const normal = numbers.slice();
  for (let i = numberSize - 1, borrow = 0; i >= 0; i--) {
    const digit = curveOrder[i]! - s[i]! - borrow;
    borrow = digit < 0 ? 1 : 0;
    normal[numberSize + i] = digit;
  }
  return normal;
}

function readInteger(source: Uint8Array, offset: number, target: Uint8Array, targetOffset: number): number | undefined {
  const length = source[offset + 1];
  if (source[offset] !== integerTag || length === undefined || length >= 0x80) return undefined;
  const end = offset + 2 + length;
  if (end > source.length) return undefined;
  let start = offset + 2;
  while (start < end && source[start] === 0) start++;
  if (end - start > numberSize) return undefined;
  target.set(source.subarray(start, end), targetOffset + numberSize - (end - start));
  return end;
}

function derInteger(number: Uint8Array): number[] {
  let start = 0;
  while (start < numberSize - 1 && number[start] === 0) start++;
  const digits = [...number.subarray(start)];
  if (digits[0]! >= 0x80) digits.unshift(0);
  return [integerTag, digits.length, ...digits];
}

function isScalar(number: Uint8Array): boolean {
  return number.some((digit) => digit !== 0) && !isNotAbove(curveOrder, number);
}

function isNotAbove(a: Uint8Array, b: Uint8Array): boolean {
  for (let i = 0; i < numberSize; i++) if (a[i] !== b[i]) return a[i]! < b[i]!;
  return true;
}

function bytesOf(number: bigint): Uint8Array {
  const bytes = new Uint8Array(numberSize);
  for (let i = numberSize - 1, rest = number; i >= 0; i--, rest >>= 8n) bytes[i] = Number(rest & 0xffn);
  return bytes;
}
