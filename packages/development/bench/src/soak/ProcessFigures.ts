import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { heldMemory } from "@vedette/executor/threads";
import { type MemoryParts, memoryParts } from "../memory/memoryParts.js";

/** The figures of a node's process at a moment. Memory in bytes, the delay in milliseconds. */
export interface ProcessFigures extends MemoryParts {
  readonly private: number;
  readonly mapped: number;
  /** The heap of the main thread, with or without garbage. */
  readonly heap: number;
  /** Pages of that heap, whether they are in use or not. */
  readonly heapPages: number;
  /** The memory that the executor's thread keeps. */
  readonly executor: number;
  /** The memory that the readers' threads keep. */
  readonly readers: number;
  readonly threads: number;
  readonly files: number;
  readonly sockets: number;
  readonly handles: number;
  /** How late the event loop is, at the 99th percentile since the start. */
  readonly loopDelayMs: number;
}

const answerMs = 10_000;

/** @returns `undefined` where the process does not answer, or the system does not report them */
export async function processFigures(pid: number, httpPort: number): Promise<ProcessFigures | undefined> {
  try {
    const response = await fetch(`http://127.0.0.1:${httpPort}/metrics`, { signal: AbortSignal.timeout(answerMs) });
    const text = await response.text();
    const metric = (name: string) =>
      Number(new RegExp(`^${name.replaceAll("{", "\\{")} (\\S+)$`, "m").exec(text)?.[1] ?? Number.NaN);
    const heapOf = (thread: string) => metric(`vedette_thread_memory_bytes{thread="${thread}",part="heap"}`);
    const held = heldMemory(pid);
    const parts = memoryParts(pid);
    if (held === undefined || parts === undefined) return undefined;
    return {
      ...parts,
      private: held.privateBytes,
      mapped: held.mappedBytes,
      heap: metric("nodejs_heap_size_used_bytes"),
      heapPages: metric("nodejs_heap_size_total_bytes"),
      // Threads that have nothing to do end.
      executor: heapOf("executor") || 0,
      readers: heapOf("reader") || 0,
      handles: metric("nodejs_active_handles_total"),
      loopDelayMs: metric("nodejs_eventloop_lag_p99_seconds") * 1000,
      threads: readdirSync(`/proc/${pid}/task`).length,
      ...openFiles(pid),
    };
  } catch {
    return undefined;
  }
}

function openFiles(pid: number): { readonly files: number; readonly sockets: number } {
  const targets = readdirSync(`/proc/${pid}/fd`).map((name) => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${name}`);
    } catch {
      // Closed meanwhile.
      return "";
    }
  });
  const sockets = targets.filter((target) => target.startsWith("socket:")).length;
  return { files: targets.filter((target) => target !== "").length - sockets, sockets };
}

/** Processor time that a process has taken, in seconds. */
export function processorSeconds(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]!.split(" ");
    // The kernel counts in hundredths, whatever its own rhythm is.
    return (Number(fields[11]) + Number(fields[12])) / 100;
  } catch {
    return Number.NaN;
  }
}
