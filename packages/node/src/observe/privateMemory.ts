import { readFileSync } from "node:fs";

/**
 * Memory that a process holds for itself, in bytes: without the files that it has mapped, above all the database,
 * whose pages count as resident but go back to the system whenever it needs them.
 *
 * @returns `undefined` where the system does not tell
 */
export function privateMemory(pid: number | "self"): number | undefined {
  let text: string;
  try {
    text = readFileSync(`/proc/${pid}/status`, "utf8");
  } catch {
    return undefined;
  }
  let kilobytes: number | undefined;
  for (const [, size] of text.matchAll(/^Rss(?:Anon|Shmem):\s+(\d+) kB$/gm))
    kilobytes = (kilobytes ?? 0) + Number(size);
  return kilobytes === undefined ? undefined : kilobytes * 1024;
}
