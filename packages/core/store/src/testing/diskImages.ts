import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { LmdbStore } from "../lmdb/LmdbStore.js";
import { dataFile } from "../lmdb/layout.js";
import { type FileDamage, lookThrough } from "../lmdb/pages/checkFile.js";
import type { PageSource } from "../lmdb/pages/PageFile.js";
import { type TableName, tablesOf } from "../tables.js";

/** A file, and what was ever written into it. */
export interface DiskImage {
  readonly bytes: Buffer;
  /** All values of each entry, by table and key. */
  readonly written: ReadonlyMap<string, ReadonlySet<string>>;
}

const textOf = (bytes: Uint8Array) => Buffer.from(bytes).toString("latin1");
const placeOf = (table: string, key: Uint8Array) => `${table} ${textOf(key)}`;

/** The file of a small store: short and long values, several transactions, and pages that nothing uses any more. */
export async function diskImage(folder: string, random: () => number): Promise<DiskImage> {
  const path = mkdtempSync(join(folder, "vedette-image-"));
  const bytes = (length: number) => Uint8Array.from({ length }, () => random() * 256);
  const written = new Map<string, Set<string>>();
  const put = (name: TableName, length: number) => [name, bytes(32), bytes(length)] as const;
  try {
    await using store = new LmdbStore(path, { tables: tablesOf("chain") });
    for (let transaction = 0; transaction < 12; transaction += 1) {
      const entries = [
        ...[put("blocks", 5_000), put("blocks", 300), put("blockMetadata", 120), put("childBlocks", 0)],
        ["deployPool", Uint8Array.of(transaction % 3), bytes(3_000)] as const,
      ];
      store.write((tables) => {
        for (const [name, key, value] of entries) tables(name).put(key, value);
      });
      for (const [name, key, value] of entries) {
        const place = placeOf(name, key);
        written.set(place, (written.get(place) ?? new Set()).add(textOf(value)));
      }
    }
    await store.sync();
    return { bytes: readFileSync(join(path, dataFile)), written };
  } finally {
    rmSync(path, { recursive: true });
  }
}

/** The content found in an image. */
export interface ImageContent {
  readonly damages: readonly FileDamage[];
  /** Values by table and key. */
  readonly entries: ReadonlyMap<string, string>;
}

/** Looks through an image in memory, as it is looked through on disk. */
export function contentOfImage(image: Buffer): ImageContent {
  const source: PageSource = {
    sizeBytes: image.length,
    read: (at, length) =>
      Number.isSafeInteger(at) && at + length <= image.length ? image.subarray(at, at + length) : undefined,
  };
  const damages: FileDamage[] = [];
  const entries = new Map<string, string>();
  const looking = lookThrough(source, {
    damaged: (damage) => void damages.push(damage),
    entry: (table, key, value) => void entries.set(placeOf(table, key), textOf(value)),
  });
  for (const _page of looking);
  return { damages, entries };
}
