import { longestManifestBytes, type Manifest, readManifest } from "./manifest/Manifest.js";
import { manifestFolder, manifestOf } from "./manifest/names.js";
import type { SnapshotStorage } from "./place/SnapshotStorage.js";
import { SnapshotError } from "./SnapshotError.js";

/** The names of the manifests at a place, the newest block's first. */
async function snapshotNames(place: SnapshotStorage): Promise<readonly string[]> {
  const names = (await place.list(manifestFolder)).map(({ name }) => name);
  return names.filter((name) => manifestOf(name) !== undefined).toSorted((one, other) => (one < other ? 1 : -1));
}

/**
 * A snapshot at a place.
 *
 * @param blockHash of its block, or how that begins; without, the newest one
 * @throws {SnapshotError} `noSnapshot`, `manifestWrong`, `placeUnusable`
 */
export async function findSnapshot(place: SnapshotStorage, blockHash: string | undefined): Promise<Manifest> {
  const names = await snapshotNames(place);
  const name = names.find((one) => manifestOf(one)!.blockHash.startsWith(blockHash ?? ""));
  const wanted = blockHash === undefined ? "at all" : `of block ${blockHash}`;
  if (name === undefined) throw new SnapshotError({ code: "noSnapshot", place: place.label, wanted });
  return loadManifest(place, name);
}

/** @throws {SnapshotError} `manifestWrong`, `placeUnusable` */
async function loadManifest(place: SnapshotStorage, name: string): Promise<Manifest> {
  const bytes = await place.get(name, longestManifestBytes);
  if (bytes === undefined) throw new SnapshotError({ code: "manifestWrong", name, reason: "it is gone, or too long" });
  return readManifest(name, bytes);
}

/** All snapshots at a place, the newest block's first. @throws {SnapshotError} `manifestWrong`, `placeUnusable` */
export async function findManifests(place: SnapshotStorage): Promise<readonly Manifest[]> {
  const manifests: Manifest[] = [];
  for (const name of await snapshotNames(place)) manifests.push(await loadManifest(place, name));
  return manifests;
}
