// Exports for other forms of nodes, leaves and blocks, which go another way.
export {
  type ChunkEntryKind,
  chunkBytes,
  compressChunk,
  type Entry,
  entriesOf,
  longestChunkBytes,
  openChunk,
} from "./chunkFormat.js";
