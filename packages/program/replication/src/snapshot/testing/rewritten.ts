import { blake2b256, toHex } from "@vedette/crypto";
import { chunkBytes, compressChunk, type Entry, entriesOf, openChunk } from "../chunk/chunkFormat.js";
import { findSnapshot } from "../findSnapshots.js";
import { type ManifestContent, writeManifest } from "../manifest/Manifest.js";
import { chunkName } from "../manifest/names.js";
import { MemoryPlace } from "./MemoryPlace.js";

/** The chunks of the newest snapshot, each with its entries. */
export async function chunksOf(place: MemoryPlace): Promise<Entry[][]> {
  const { chunks } = await findSnapshot(place, undefined);
  const opened = chunks.map(async ({ hash, bytes }) => {
    const content = await openChunk(hash, place.files.get(chunkName(hash))!.bytes, bytes);
    return [...entriesOf(hash, content)];
  });
  return Promise.all(opened);
}

/** The newest snapshot as an attacker with write access can change it: with other chunks and another manifest. */
export async function rewritten(
  place: MemoryPlace,
  chunks: readonly (readonly Entry[])[],
  change: (made: ManifestContent) => ManifestContent = (made) => made,
): Promise<MemoryPlace> {
  const other = new MemoryPlace();
  const { name, maker: _maker, ...made } = await findSnapshot(place, undefined);
  const facts: ManifestContent["chunks"] = [];
  for (const entries of chunks) {
    const bytes = chunkBytes(entries);
    const hash = toHex(blake2b256(bytes));
    // Most of them are the snapshot's own.
    const own = place.files.get(chunkName(hash));
    await other.put(chunkName(hash), own?.bytes ?? (await compressChunk(bytes)));
    facts.push({ hash, entries: entries.length, bytes: bytes.length });
  }
  await other.put(name, writeManifest(change({ ...made, chunks: facts }), undefined));
  return other;
}
