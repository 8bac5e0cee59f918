import { promisify } from "node:util";
import { brotliCompress, brotliDecompress, brotliDecompressSync, constants } from "node:zlib";
import { blake2b256, equalBytes, fromHex } from "@vedette/crypto";
import { errorText } from "@vedette/errors";
import { SnapshotError } from "../SnapshotError.js";

/** The kinds of an entry of a chunk. Their numbers are in the bytes. */
export const entryKinds = { node: 0, leaf: 1, block: 2, floors: 3, state: 4, numbers: 5 } as const;
/** One of {@link entryKinds}. */
export type ChunkEntryKind = keyof typeof entryKinds;

/**
 * An entry: a node's, a leaf's or a block's encoding, identified by its bytes. On networks of f1r3node also the floors
 * of blocks, which come after these; an earlier state with the number of its nodes and leaves after it; and the changes
 * of number channels by the deploys of a block.
 */
export interface Entry {
  readonly kind: ChunkEntryKind;
  readonly bytes: Uint8Array;
}

/** The size of kind and length. */
export const entryHeadBytes = 5;
/** The maximum length of a chunk before it is compressed, unless it has one entry. */
export const fullChunkBytes = 16 << 20;
/** Maximum length of a chunk that is read from outside; a block has at most 64 MiB. */
export const longestChunkBytes = 80 << 20;

const maxConcurrent = 64 << 10;
const [minPiece, maxPiece] = [64, 16 << 20];
const kinds: readonly ChunkEntryKind[] = ["node", "leaf", "block", "floors", "state", "numbers"];
const compress = promisify(brotliCompress);
const decompress = promisify(brotliDecompress);
// Nodes are hashes, which no compression makes shorter; the rest gains little by more.
const quality = 3;

/** The bytes of a chunk, as they are hashed. */
export function chunkBytes(entries: readonly Entry[]): Uint8Array {
  const bytes = new Uint8Array(entries.reduce((sum, entry) => sum + entryHeadBytes + entry.bytes.length, 0));
  const view = new DataView(bytes.buffer);
  let offset = 0;
  for (const entry of entries) {
    bytes[offset] = entryKinds[entry.kind];
    view.setUint32(offset + 1, entry.bytes.length);
    bytes.set(entry.bytes, offset + entryHeadBytes);
    offset += entryHeadBytes + entry.bytes.length;
  }
  return bytes;
}

/** As it is stored. */
export async function compressChunk(bytes: Uint8Array): Promise<Uint8Array> {
  const params = { [constants.BROTLI_PARAM_QUALITY]: quality, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  return plain(await compress(bytes, { params }));
}

/**
 * Returns the bytes of a stored chunk.
 *
 * @param hash the hash that names it
 * @param length its stated length, which is only a guess
 * @param longest its maximum length
 * @throws {SnapshotError} `chunkWrong`: cut off, changed, too long
 */
export async function openChunk(
  hash: string,
  stored: Uint8Array,
  length: number,
  longest = longestChunkBytes,
): Promise<Uint8Array> {
  let bytes: Uint8Array;
  try {
    bytes = plain(await decompressed(stored, length, longest));
  } catch (error) {
    throw new SnapshotError({ code: "chunkWrong", hash, reason: errorText(error) }, { cause: error });
  }
  if (!equalBytes(blake2b256(bytes), fromHex(hash)))
    throw new SnapshotError({ code: "chunkWrong", hash, reason: "its content has another hash" });
  return bytes;
}

function decompressed(stored: Uint8Array, length: number, maxOutputLength: number): Buffer | Promise<Buffer> {
  // Another thread would cost more than it takes.
  if (length <= maxConcurrent) return brotliDecompressSync(stored, { maxOutputLength, chunkSize: minPiece + length });
  // The library goes to the other thread and back for each piece, and copies all of them at the end.
  const chunkSize = Math.min(length + 1, maxPiece);
  return decompress(stored, { maxOutputLength, chunkSize });
}

/** The entries of a chunk, as views of its bytes. @throws {SnapshotError} `chunkWrong` */
export function* entriesOf(hash: string, bytes: Uint8Array): Generator<Entry> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let offset = 0; offset < bytes.length; ) {
    const start = offset + entryHeadBytes;
    const kind = kinds[bytes[offset]!];
    if (kind === undefined || start > bytes.length)
      throw new SnapshotError({ code: "chunkWrong", hash, reason: `no entry begins at byte ${offset}` });
    const end = start + view.getUint32(offset + 1);
    if (end > bytes.length)
      throw new SnapshotError({ code: "chunkWrong", hash, reason: `the entry at byte ${offset} is cut off` });
    yield { kind, bytes: bytes.subarray(start, end) };
    offset = end;
  }
}

/** Slices of a Buffer are views, which would keep all of it. */
function plain(buffer: Buffer): Uint8Array {
  return new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.length);
}
