import { fromHexLenient, fromHexPadded, toHex } from "@vedette/crypto";

/** Characters of a name beyond which nothing is called so, as long as a path may be. */
const longest = 4_096;

/** A client's name of something, for a refusal: of one that is too long its beginning. */
export function shownName(name: string): string {
  return name.length <= longest ? name : `${name.slice(0, longest)}...`;
}

/** As {@link shownName}, in hex. */
export function shownBytes(bytes: Uint8Array): string {
  return 2 * bytes.length <= longest ? toHex(bytes) : `${toHex(bytes.subarray(0, longest / 2))}...`;
}

/** The bytes of a name, or of the beginning of one that is too long, which is too long as well. @spec 10 §1.1 */
export function bytesOfName(name: string): Uint8Array {
  return fromHexLenient(name.slice(0, longest + 2));
}

/** As {@link bytesOfName}; `undefined` for what is not hexadecimal. @spec 10 §1.1 */
export function strictBytesOfName(name: string): Uint8Array | undefined {
  return fromHexPadded(name.slice(0, longest + 2));
}
