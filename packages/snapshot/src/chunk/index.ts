// What else is made of nodes, leaves and blocks, and goes another way.
export { chunkBytes, compressChunk, type Entry, type EntryKind, entriesOf, openChunk } from "./chunkFormat.js";
