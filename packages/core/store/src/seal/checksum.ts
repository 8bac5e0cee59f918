import { crc32 as native } from "node:zlib";

/** A call of the native one costs as much as this many bytes here. */
const fewBytes = 64;

const remainders = new Uint32Array(256).map((_, byte) => {
  let remainder = byte;
  for (let bit = 0; bit < 8; bit += 1) remainder = (remainder >>> 1) ^ (remainder & 1 ? 0xedb88320 : 0);
  return remainder;
});

/** CRC-32 of bytes that follow others. @param before the checksum of these; 0 for none */
export function checksum(bytes: Uint8Array, before: number): number {
  if (bytes.length > fewBytes) return native(bytes, before);
  let remainder = ~before;
  for (let at = 0; at < bytes.length; at += 1)
    remainder = (remainder >>> 8) ^ remainders[(remainder ^ bytes[at]!) & 0xff]!;
  return ~remainder >>> 0;
}
