import { setPriority } from "node:os";

/**
 * The order of threads where cores are scarce: the executor, then the main thread, which hands it blocks, then the
 * readers of states, then background work. It matters among the threads of this process only, since a service or a
 * session has its own share of the machine.
 */
const nicenesses = { main: 5, reader: 10, background: 19 } as const;

/**
 * Lowers the priority of the calling thread below the others'. Threads that it starts afterwards begin with the same niceness,
 * and none can go back: so the main thread does it when the executor runs.
 */
export function lowerPriority(thread: keyof typeof nicenesses): void {
  // Elsewhere it would be the priority of the whole process.
  if (process.platform === "linux") setPriority(nicenesses[thread]);
}
