import { fromHex } from "@vedette/crypto";

/** The shortest two's complement of a number, the highest byte first; zero is one byte. @spec 20 §14.2 */
export function twosComplement(value: bigint): Uint8Array {
  const magnitude = value < 0n ? -value - 1n : value;
  const hex = magnitude.toString(16);
  // The highest bit is the sign, so that it must be free.
  const isFull = hex.length % 2 === 0 && Number.parseInt(hex[0]!, 16) >= 8;
  const padded = isFull ? `00${hex}` : hex.padStart(hex.length + (hex.length % 2), "0");
  const bytes = fromHex(padded);
  return value < 0n ? bytes.map((byte) => ~byte & 0xff) : bytes;
}
