import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";

const run = promisify(execFile);
const psTimeoutMs = 1_000;

/** Memory that processes hold (resident), in bytes; those that cannot be asked are left out. */
export async function processMemory(pids: readonly number[]): Promise<ReadonlyMap<number, number>> {
  if (pids.length === 0) return new Map();
  return process.platform === "linux" ? memoryFromKernel(pids) : memoryFromPs(pids);
}

async function memoryFromKernel(pids: readonly number[]): Promise<Map<number, number>> {
  const sizes = new Map<number, number>();
  for (const pid of pids) {
    const text = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
    const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(text)?.[1];
    if (kilobytes !== undefined) sizes.set(pid, Number(kilobytes) * 1024);
  }
  return sizes;
}

async function memoryFromPs(pids: readonly number[]): Promise<Map<number, number>> {
  const sizes = new Map<number, number>();
  try {
    const { stdout } = await run("ps", ["-o", "pid=,rss=", "-p", pids.join(",")], { timeout: psTimeoutMs });
    for (const [, pid, kilobytes] of stdout.matchAll(/^\s*(\d+)\s+(\d+)/gm))
      sizes.set(Number(pid), Number(kilobytes) * 1024);
  } catch {
    // The view goes on without.
  }
  return sizes;
}
