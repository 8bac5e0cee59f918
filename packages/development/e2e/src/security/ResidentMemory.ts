import { readFileSync } from "node:fs";

const lookMs = 100;

/** Resident memory of a process and all that it started, looked at again and again. Bytes. */
export class ResidentMemory implements Disposable {
  readonly #pid: number;
  readonly #timer: NodeJS.Timeout;
  #highest = 0;

  constructor(pid: number) {
    this.#pid = pid;
    this.#timer = setInterval(() => this.now(), lookMs);
  }

  /** @returns 0 where the process has ended */
  now(): number {
    const bytes = residentBytes(this.#pid);
    this.#highest = Math.max(this.#highest, bytes);
    return bytes;
  }

  /** The most since the last call. */
  takeHighest(): number {
    this.now();
    const highest = this.#highest;
    this.#highest = 0;
    return highest;
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }
}

function residentBytes(pid: number): number {
  try {
    const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0;
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ").filter(Boolean);
    return children.reduce((sum, child) => sum + residentBytes(Number(child)), Number(kilobytes) * 1024);
  } catch {
    // It ended meanwhile.
    return 0;
  }
}
