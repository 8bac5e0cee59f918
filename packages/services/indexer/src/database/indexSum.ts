import {
  closeSync,
  existsSync,
  fstatSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { crc32 } from "node:zlib";
import { sql } from "kysely";
import { type IndexDatabase, type IndexLocation, openDatabase } from "./openDatabase.js";

const chunkBytes = 1 << 20;
const suffixes = ["", "-wal", "-shm", ".sum"] as const;

/**
 * Opens the index for its writer. SQLite has no checksums: if its last writer ended in good order, the file is compared
 * with that writer's checksum; otherwise SQLite itself checks the file. A damaged file is thrown away, since all of it
 * follows from the node's blocks.
 *
 * @param isSuspect whether it is treated as damaged in any case
 * @param threwAway called where a damaged index was thrown away
 */
export async function openWholeDatabase(
  place: IndexLocation,
  isSuspect: boolean,
  threwAway: () => void,
): Promise<IndexDatabase> {
  if (place.kind === "postgres") return openDatabase(place);
  const { path } = place;
  if (isSuspect || (existsSync(path) && !(await isWhole(place)))) {
    for (const suffix of suffixes) rmSync(`${path}${suffix}`, { force: true });
    threwAway();
  }
  rmSync(`${path}.sum`, { force: true });
  return openDatabase(place);
}

/** Leaves a checksum of what is written, before the writer closes the index in good order. */
export async function sumUp(place: IndexLocation, database: IndexDatabase): Promise<void> {
  if (place.kind === "postgres") return;
  // Until then the newest rows are in the log beside it.
  await sql`pragma wal_checkpoint(truncate)`.execute(database.db);
  writeFileSync(`${place.path}.sum`, sumOf(place.path));
}

/** Whether an error means that the file is damaged: by the library's code, or from another thread by its text. */
export function isDamage(error: unknown): boolean {
  for (let one = error; one instanceof Error; one = one.cause) {
    const code = "code" in one ? String(one.code) : "";
    if (/^SQLITE_(CORRUPT|NOTADB)/.test(code) || damageWords.test(one.message)) return true;
  }
  return false;
}

const damageWords = /database disk image is malformed|malformed database schema|file is not a database/;

async function isWhole(place: IndexLocation & { readonly kind: "sqlite" }): Promise<boolean> {
  const { path } = place;
  const hasLog = existsSync(`${path}-wal`) && statSync(`${path}-wal`).size > 0;
  if (!hasLog && existsSync(`${path}.sum`)) return readFileSync(`${path}.sum`, "latin1") === sumOf(path);
  try {
    await using database = await openDatabase(place);
    const { rows } = await sql<Record<string, unknown>>`pragma quick_check(1)`.execute(database.db);
    return Object.values(rows[0] ?? {})[0] === "ok";
  } catch (error) {
    if (isDamage(error)) return false;
    throw error;
  }
}

/** Length and CRC-32 of a file. */
function sumOf(path: string): string {
  const file = openSync(path, "r");
  try {
    const chunk = Buffer.allocUnsafe(chunkBytes);
    let sum = 0;
    for (let read = readSync(file, chunk); read > 0; read = readSync(file, chunk))
      sum = crc32(chunk.subarray(0, read), sum);
    return `${fstatSync(file).size} ${sum}`;
  } finally {
    closeSync(file);
  }
}
