const alphabet = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
const zeroCharacter = alphabet[0]!;

/**
 * Prints bytes in Base58 with Bitcoin's alphabet; each leading zero byte is a leading `1`.
 *
 * @spec 10 §1.1
 * @cost grows with the square of the length
 */
export function printBase58(bytes: Uint8Array): string {
  let zeros = 0;
  while (zeros < bytes.length && bytes[zeros] === 0) zeros++;
  // Digits of the number to the base 58, the lowest first.
  const digits: number[] = [];
  for (let i = zeros; i < bytes.length; i++) {
    let carry = bytes[i]!;
    for (let d = 0; d < digits.length; d++) {
      carry += digits[d]! * 256;
      digits[d] = carry % 58;
      carry = Math.floor(carry / 58);
    }
    for (; carry > 0; carry = Math.floor(carry / 58)) digits.push(carry % 58);
  }
  return (
    zeroCharacter.repeat(zeros) +
    digits
      .map((digit) => alphabet[digit])
      .reverse()
      .join("")
  );
}

/**
 * Reads Base58; the empty text is no bytes.
 *
 * @spec 10 §1.1
 * @returns `undefined` where a character is not of the alphabet
 * @cost grows with the square of the length: bound it first where the text comes from outside
 */
export function parseBase58(text: string): Uint8Array | undefined {
  let zeros = 0;
  while (zeros < text.length && text[zeros] === zeroCharacter) zeros++;
  // Bytes of the number, the lowest first.
  const bytes: number[] = [];
  for (let i = zeros; i < text.length; i++) {
    let carry = alphabet.indexOf(text[i]!);
    if (carry < 0) return undefined;
    for (let b = 0; b < bytes.length; b++) {
      carry += bytes[b]! * 58;
      bytes[b] = carry & 0xff;
      carry >>= 8;
    }
    for (; carry > 0; carry >>= 8) bytes.push(carry & 0xff);
  }
  const whole = new Uint8Array(zeros + bytes.length);
  whole.set(bytes.reverse(), zeros);
  return whole;
}

/** Whether all characters are of the alphabet. @spec 10 §1.1 */
export function isBase58(text: string): boolean {
  return /^[1-9A-HJ-NP-Za-km-z]*$/.test(text);
}
