import { errorText } from "@vedette/errors";
import { freeSpaceOf } from "../freeSpace/freeSpaceOf.js";
import { StoreError } from "../StoreError.js";
import type { TableName } from "../tables.js";

/** With less room than this a transaction may not fit. */
const littleRoomBytes = 64 * 1024 * 1024;
const shownKeyBytes = 32;

/** Turns what LMDB or the file system threw into a sentence for people. @spec 30 §5.8 */
export function storeFailure(path: string, cause: unknown): StoreError {
  if (cause instanceof StoreError) return cause;
  const reason = errorText(cause);
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
  // A write that fits only in part is reported as an input/output error.
  const isWriteError = code === "EIO" || code === "5" || /input\/output error/i.test(reason);
  if (
    /^(ENOSPC|EDQUOT|28|122)$/.test(code) ||
    /no space left|disk quota/i.test(reason) ||
    (isWriteError && isFull(path))
  ) {
    return new StoreError({ code: "full", path }, { cause });
  }
  if (
    /^(EACCES|EPERM|EROFS|13|1|30)$/.test(code) ||
    /permission denied|read-only file system|not permitted/i.test(reason)
  ) {
    return new StoreError({ code: "notAllowed", path, readOnly: false }, { cause });
  }
  if (code === "ENOENT" || /no such file/i.test(reason)) return new StoreError({ code: "missing", path }, { cause });
  if (/MDB_(INVALID|VERSION_MISMATCH|CORRUPTED|PAGE_NOTFOUND|PANIC|BAD_DBI|INCOMPATIBLE)/.test(reason)) {
    return new StoreError({ code: "damaged", path, reason }, { cause });
  }
  return new StoreError({ code: "failed", path, reason }, { cause });
}

/** Makes the error for a value that is not the written one. */
export function damagedValue(path: string, table: TableName, key: Uint8Array): StoreError {
  const name = Buffer.from(key.subarray(0, shownKeyBytes)).toString("hex");
  const reason = `what table ${table} has under ${name}${key.length > shownKeyBytes ? "…" : ""} is not what was written`;
  return new StoreError({ code: "damaged", path, reason, table, key });
}

function isFull(path: string): boolean {
  const room = freeSpaceOf(path);
  return room !== undefined && room.freeBytes < littleRoomBytes;
}
