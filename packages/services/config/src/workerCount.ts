/** More would only wait for each other. */
export const maxWorkers = 64;
/** The automatic maximum of workers: each takes some 250 MB. */
const maxAlone = 4;

/** How many do a piece of work side by side. @spec 40 §20.1 */
export type WorkerCount = "auto" | `${number}`;

/** @returns `undefined` for a text that is none */
export function parseWorkers(text: string): WorkerCount | undefined {
  const plain = text.trim().toLowerCase();
  if (plain === "auto") return plain;
  const count = /^\d{1,3}$/.test(plain) ? Number(plain) : 0;
  return count >= 1 && count <= maxWorkers ? `${count}` : undefined;
}

/** How many there are. @param cores of this machine */
export function workersOf(count: WorkerCount, cores: number): number {
  return count === "auto" ? Math.max(1, Math.min(maxAlone, cores)) : Number(count);
}
