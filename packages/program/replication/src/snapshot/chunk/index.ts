// Exports for other forms of nodes, leaves and blocks, which go another way.
export {
  chunkBytes,
  compressChunk,
  type Entry,
  type EntryKind,
  entriesOf,
  longestChunkBytes,
  openChunk,
} from "./chunkFormat.js";
