import { ByteWriter } from "@vedette/crypto";
import { NetworkError } from "../NetworkError.js";
import { compressLz4, expandLz4 } from "./lz4.js";

/** Content above this length travels compressed. @spec 10 §3.6 */
export const compressAboveBytes = 512_000;

// One byte of an LZ4 block can represent 255 bytes of content at most; the rest of the bound is for the first token.
const maxExpansion = 255;
const maxLength = 0x7fff_ffff;

/**
 * Compresses to one raw LZ4 block, without frame.
 *
 * @spec 10 §3.6, §9
 * @param withLength whether the block follows a varint of the content's length, as in the newer dialect
 */
export async function compressBlock(content: Uint8Array, withLength: boolean): Promise<Uint8Array> {
  const block = await compressLz4(content);
  if (!withLength) return block;
  return new ByteWriter().varint(content.length).bytes(block).finish();
}

/**
 * Expands a raw LZ4 block to exactly the length that the sender claims.
 *
 * @spec 10 §3.6, §9
 * @throws {NetworkError} `protocol` for a claim that the block cannot fulfill, before any memory is taken for it
 */
export async function expandBlock(data: Uint8Array, claimedLength: number, withLength: boolean): Promise<Uint8Array> {
  const block = withLength ? afterLength(data, claimedLength) : data;
  if (claimedLength < 0 || claimedLength > maxLength || claimedLength > (block.length + 1) * maxExpansion) {
    throw bad(`compressed stream of ${block.length} bytes cannot hold ${claimedLength} bytes`);
  }
  const content = await expandLz4(block, claimedLength);
  if (content.length !== claimedLength) {
    throw bad(`compressed stream holds ${content.length} bytes, not ${claimedLength}`);
  }
  return content;
}

function afterLength(data: Uint8Array, claimedLength: number): Uint8Array {
  let length = 0;
  for (let index = 0; index < 5; index++) {
    const byte = data[index];
    if (byte === undefined) break;
    length += (byte & 0x7f) * 2 ** (7 * index);
    if (byte >= 0x80) continue;
    if (length !== claimedLength) break;
    return data.subarray(index + 1);
  }
  throw bad("compressed stream does not begin with its length; it may be of another dialect");
}

function bad(description: string): NetworkError {
  return new NetworkError({ code: "protocol", description });
}
