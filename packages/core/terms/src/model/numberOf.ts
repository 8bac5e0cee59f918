import { toHex } from "@vedette/crypto";

/** Returns the number that bytes of two's complement represent, the highest first; zero for no bytes. @spec 20 §14.2 */
export function integerOf(bytes: Uint8Array): bigint {
  return bytes.length === 0 ? 0n : BigInt.asIntN(bytes.length * 8, BigInt(`0x${toHex(bytes)}`));
}

/** The number of a double. @param bits its IEEE-754 form @spec 20 §14.2 */
export function doubleOf(bits: bigint): number {
  const view = new DataView(new ArrayBuffer(8));
  view.setBigUint64(0, bits);
  return view.getFloat64(0);
}
