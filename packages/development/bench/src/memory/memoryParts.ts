import { readFileSync } from "node:fs";

/** Where the memory that a process holds for itself lies, in bytes. */
export interface MemoryParts {
  /** Deep stacks of the threads that run programs. */
  readonly stacks: number;
  /** The allocator's arenas, of which each thread may have one. */
  readonly arenas: number;
  /** The allocator's first arena. */
  readonly heapBreak: number;
  /** Above all the pages of the isolates, and large pieces that the allocator maps by themselves. */
  readonly rest: number;
}

const arenaBytes = 64 << 20;
const deepStackBytes = 128 << 20;

/** @returns `undefined` where the system does not report it */
export function memoryParts(pid: number): MemoryParts | undefined {
  let text: string;
  try {
    text = readFileSync(`/proc/${pid}/smaps`, "utf8");
  } catch {
    return undefined;
  }
  const parts = { stacks: 0, arenas: 0, heapBreak: 0, rest: 0 };
  for (const mapping of text.split(/^(?=[0-9a-f]+-[0-9a-f]+ )/m)) {
    const head = /^([0-9a-f]+)-([0-9a-f]+) (\S+) \S+ \S+ \S+ *(.*)$/m.exec(mapping);
    const anonymous = Number(/^Anonymous:\s+(\d+) kB$/m.exec(mapping)?.[1] ?? 0) * 1024;
    if (head === null || anonymous === 0) continue;
    const [, from, to, rights, name] = head as unknown as [string, string, string, string, string];
    const [start, end] = [Number.parseInt(from, 16), Number.parseInt(to, 16)];
    if (name === "[heap]") parts.heapBreak += anonymous;
    else if (name !== "" || rights !== "rw-p") parts.rest += anonymous;
    else if (start % arenaBytes === 0 && end - start <= arenaBytes) parts.arenas += anonymous;
    else if (end - start >= deepStackBytes) parts.stacks += anonymous;
    else parts.rest += anonymous;
  }
  return parts;
}
