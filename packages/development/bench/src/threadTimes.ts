import { readdirSync, readFileSync } from "node:fs";

/** The tick of the system's clock of processor times. */
const tickMs = 10;

/** How long a thread ran, and how long it waited for a core, since it began. */
export interface ThreadTime {
  readonly ranMs: number;
  readonly waitedMs: number;
}

/** The times of all threads of a process, by their ids; none where the system does not report them. */
export function threadTimes(pid: number): ReadonlyMap<string, ThreadTime> {
  const times = new Map<string, ThreadTime>();
  if (process.platform !== "linux") return times;
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    try {
      const [ran, waited] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "latin1").split(" ");
      times.set(thread, { ranMs: Number(ran) / 1e6, waitedMs: Number(waited) / 1e6 });
    } catch {
      // It has ended meanwhile.
    }
  }
  return times;
}

/** Processor time of a process in ms, with that of threads that have ended; 0 where the system does not report it. */
export function processorTime(pid: number): number {
  if (process.platform !== "linux") return 0;
  // The name is in brackets, and may contain spaces.
  const fields = readFileSync(`/proc/${pid}/stat`, "latin1").split(") ").at(-1)!.split(" ");
  return (Number(fields[11]) + Number(fields[12])) * tickMs;
}

/** Returns the time of the busiest thread beside the main one in between: during a replay that is the executor. */
export function executorTime(
  pid: number,
  from: ReadonlyMap<string, ThreadTime>,
  to: ReadonlyMap<string, ThreadTime>,
): ThreadTime | undefined {
  let busiest: ThreadTime | undefined;
  for (const [thread, { ranMs, waitedMs }] of to) {
    const before = from.get(thread);
    if (thread === String(pid) || before === undefined) continue;
    const ran = ranMs - before.ranMs;
    if (busiest === undefined || ran > busiest.ranMs) busiest = { ranMs: ran, waitedMs: waitedMs - before.waitedMs };
  }
  return busiest;
}
