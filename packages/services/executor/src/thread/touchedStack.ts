import { openSync, readFileSync, readSync } from "node:fs";

const pageBytes = 4096;
/**
 * Size of the kernel's entry for a page: its highest two bits are set if it is in memory, or was and is swapped out.
 */
const entryBytes = 8;
const isTouchedMask = 0xc0;
/** A frame may be larger than a page, so that one is skipped. */
const windowPages = 16;
/** The least use that is distinguished from none. */
const firstDepthBytes = 1 << 20;
/** The precision with which a deeper use is measured. */
const exactBytes = 4 << 20;

/** Kept: a thread that runs programs closes the module (`confineThread`). */
const readOpened = readSync;

/** The stack of a thread, as the kernel sees it. */
interface Stack {
  /** An address near its beginning; it grows downwards. */
  readonly top: number;
  readonly pageMap: number;
}

/** Per thread: each has its own copy of this module. `undefined` where the system does not report it. */
let own: Stack | undefined | "unknown" = "unknown";

/**
 * Returns how deep this thread's stack was ever used, in bytes, rounded up: this part of it stays in memory until the
 * thread ends, since the pages of a stack are never given back.
 *
 * @returns 0 for less than a megabyte, and where the system does not report it
 * @cost one small read where the stack was not used much
 */
export function touchedStackBytes(stackBytes: number): number {
  if (own === "unknown") own = findStack();
  if (own === undefined) return 0;
  let [touched, untouched] = [0, firstDepthBytes];
  while (untouched < stackBytes && isTouched(own, untouched)) {
    touched = untouched;
    untouched = Math.min(2 * untouched, stackBytes);
  }
  if (touched === 0) return 0;
  while (untouched - touched > exactBytes) {
    const depth = (touched + untouched) / 2;
    if (isTouched(own, depth)) touched = depth;
    else untouched = depth;
  }
  return untouched;
}

function isTouched({ top, pageMap }: Stack, depth: number): boolean {
  const entries = Buffer.alloc(windowPages * entryBytes);
  const page = Math.floor((top - depth) / pageBytes) - windowPages;
  const read = readOpened(pageMap, entries, 0, entries.length, page * entryBytes);
  for (let last = entryBytes - 1; last < read; last += entryBytes)
    if ((entries[last]! & isTouchedMask) !== 0) return true;
  return false;
}

function findStack(): Stack | undefined {
  if (process.platform !== "linux") return undefined;
  try {
    // Stack pointer and program counter of the reading thread are at the end.
    const pointer = readFileSync("/proc/thread-self/syscall", "latin1").trim().split(" ").at(-2);
    const top = Number(pointer);
    return Number.isSafeInteger(top) && top > 0 ? { top, pageMap: openSync("/proc/self/pagemap", "r") } : undefined;
  } catch {
    return undefined;
  }
}
