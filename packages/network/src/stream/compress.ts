import { compress, uncompress } from "lz4-napi";
import { NetworkError } from "../NetworkError.js";

/** Content above this length travels compressed. @spec 10 §3.6 */
export const compressAboveBytes = 512_000;

const lengthPrefixBytes = 4;
// One byte of an LZ4 block can stand for 255 bytes of content at most; the rest of the bound is for the first token.
const maxExpansion = 255;
const maxLength = 0x7fff_ffff;

/**
 * Compresses to one raw LZ4 block, without frame and without length. Works off the main thread.
 *
 * @spec 10 §3.6
 */
export async function compressBlock(content: Uint8Array): Promise<Uint8Array> {
  const prefixed = await compress(content);
  return prefixed.subarray(lengthPrefixBytes);
}

/**
 * Expands a raw LZ4 block to exactly the length that the sender claims.
 *
 * @spec 10 §3.6
 * @throws {NetworkError} `protocol` for a claim that the block cannot fulfil, before any memory is taken for it
 */
export async function expandBlock(block: Uint8Array, claimedLength: number): Promise<Uint8Array> {
  if (claimedLength < 0 || claimedLength > maxLength || claimedLength > (block.length + 1) * maxExpansion) {
    throw bad(`compressed stream of ${block.length} bytes cannot hold ${claimedLength} bytes`);
  }
  const prefixed = new Uint8Array(lengthPrefixBytes + block.length);
  new DataView(prefixed.buffer).setUint32(0, claimedLength, true);
  prefixed.set(block, lengthPrefixBytes);
  let content: Uint8Array;
  try {
    content = await uncompress(prefixed);
  } catch (cause) {
    throw bad("compressed stream is damaged", cause);
  }
  if (content.length !== claimedLength) {
    throw bad(`compressed stream holds ${content.length} bytes, not ${claimedLength}`);
  }
  return content;
}

function bad(description: string, cause?: unknown): NetworkError {
  return new NetworkError({ code: "protocol", description }, { cause });
}
