// What else is made of nodes, leaves and blocks, and goes another way.
export {
  chunkBytes,
  compressChunk,
  type Entry,
  type EntryKind,
  entriesOf,
  longestChunkBytes,
  openChunk,
} from "./chunkFormat.js";
