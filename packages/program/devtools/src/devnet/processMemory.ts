import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { privateMemory } from "@vedette/executor/threads";

const run = promisify(execFile);
const psTimeoutMs = 1_000;

/**
 * Returns the private memory of processes in bytes; processes that cannot be read are left out. Where the system
 * reports resident memory only, which has mapped files in it, it returns that.
 */
export async function processMemory(pids: readonly number[]): Promise<ReadonlyMap<number, number>> {
  if (pids.length === 0) return new Map();
  return process.platform === "linux" ? memoryFromKernel(pids) : memoryFromPs(pids);
}

function memoryFromKernel(pids: readonly number[]): Map<number, number> {
  const sizes = new Map<number, number>();
  for (const pid of pids) {
    const bytes = privateMemory(pid);
    if (bytes !== undefined) sizes.set(pid, bytes);
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
