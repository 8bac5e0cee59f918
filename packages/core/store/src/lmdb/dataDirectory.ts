import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  statSync,
} from "node:fs";
import { join } from "node:path";
import type { RootDatabase } from "lmdb";
import { StoreError } from "../StoreError.js";
import type { TableName } from "../tables.js";
import { dataFile, knownFiles, lockFile } from "./layout.js";
import { makeEnvironment, makeLock, syncNames } from "./newEnvironment.js";
import { requireWholeFile } from "./pages/checkFile.js";
import { storeFailure } from "./storeFailure.js";

/**
 * Refuses a directory that cannot be ours before LMDB touches it; makes it, and an environment with these tables in
 * it, when it is to be written.
 */
export function checkBeforeOpening(
  path: string,
  { readOnly, looksThrough }: { readonly readOnly: boolean; readonly looksThrough: boolean },
  names: readonly TableName[],
): void {
  try {
    if (!existsSync(path)) {
      if (readOnly) throw new StoreError({ code: "missing", path });
      mkdirSync(path, { recursive: true });
    }
    if (!statSync(path).isDirectory()) throw new StoreError({ code: "notADirectory", path });
    checkAccess(path, readOnly);
    if (readdirSync(path).some((file) => !knownFiles.has(file))) throw new StoreError({ code: "foreign", path });
    const file = join(path, dataFile);
    if (isNothing(file)) {
      if (readOnly) throw new StoreError({ code: "missing", path });
      makeEnvironment(path, names);
    } else {
      checkDataFile(path, file);
      if (looksThrough) requireWholeFile(path);
    }
    makeLock(join(path, lockFile));
    // On every start: the process that made the directory may have been killed before it synced the names.
    if (!readOnly) syncNames(path);
  } catch (cause) {
    if (cause instanceof Error && "code" in cause && (cause.code === "ENOTDIR" || cause.code === "EEXIST")) {
      throw new StoreError({ code: "notADirectory", path }, { cause });
    }
    throw storeFailure(path, cause);
  }
}

function checkAccess(path: string, readOnly: boolean): void {
  try {
    accessSync(path, readOnly ? constants.R_OK : constants.R_OK | constants.W_OK | constants.X_OK);
    const file = join(path, dataFile);
    if (existsSync(file)) accessSync(file, readOnly ? constants.R_OK : constants.R_OK | constants.W_OK);
  } catch (cause) {
    throw new StoreError({ code: "notAllowed", path, readOnly }, { cause });
  }
}

function isNothing(file: string): boolean {
  return !existsSync(file) || statSync(file).size === 0;
}

/** A file that is no LMDB environment would be taken for a broken one. */
function checkDataFile(path: string, file: string): void {
  const sizeBytes = statSync(file).size;
  if (sizeBytes < 8192) throw new StoreError({ code: "damaged", path, reason: `only ${sizeBytes} bytes are left` });
  // If one of the heads is damaged, the other one identifies the file.
  if (!magicPlaces.some((at) => numberAt(file, at) === magic)) throw new StoreError({ code: "foreign", path });
}

const magic = 0xbeefc0de;
/** In the first head, of an earlier library too, and in the second one. */
const magicPlaces = [16, 24, 4096 + 24] as const;

function numberAt(file: string, at: number): number {
  const bytes = Buffer.alloc(4);
  const descriptor = openSync(file, "r");
  try {
    readSync(descriptor, bytes, 0, bytes.length, at);
  } finally {
    closeSync(descriptor);
  }
  return bytes.readUInt32LE(0);
}

/** Pages beyond the end of the file would end the process when they are touched. */
export function checkLength(path: string, environment: RootDatabase<Uint8Array, Uint8Array>): void {
  const facts: { lastPageNumber?: number; pageSize?: number } = environment.getStats();
  const needed = ((facts.lastPageNumber ?? 0) + 1) * (facts.pageSize ?? 4096);
  const sizeBytes = statSync(join(path, dataFile)).size;
  if (sizeBytes < needed) {
    throw new StoreError({ code: "damaged", path, reason: `${sizeBytes} of ${needed} bytes are left` });
  }
}
