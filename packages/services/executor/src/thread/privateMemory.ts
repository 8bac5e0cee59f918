import { readFileSync } from "node:fs";

/** Memory of a process, in bytes. */
export interface HeldMemory {
  /** The private memory. */
  readonly privateBytes: number;
  /**
   * Pages of files that it has mapped, above all of the database: they count as resident, but go back to the system
   * whenever it needs them.
   */
  readonly mappedBytes: number;
}

/** @returns `undefined` where the system does not report it */
export function heldMemory(pid: number | "self"): HeldMemory | undefined {
  let text: string;
  try {
    text = readFileSync(`/proc/${pid}/status`, "utf8");
  } catch {
    return undefined;
  }
  const sizes = new Map<string, number>();
  for (const [, name, size] of text.matchAll(/^Rss(Anon|Shmem|File):\s+(\d+) kB$/gm)) sizes.set(name!, Number(size));
  const [anonymous, shared, file] = ["Anon", "Shmem", "File"].map((name) => sizes.get(name));
  if (anonymous === undefined) return undefined;
  return { privateBytes: (anonymous + (shared ?? 0)) * 1024, mappedBytes: (file ?? 0) * 1024 };
}

/** Memory that a process holds for itself, in bytes. @returns `undefined` where the system does not report it */
export function privateMemory(pid: number | "self"): number | undefined {
  return heldMemory(pid)?.privateBytes;
}
