import { type HeldMemory, heldMemory } from "@vedette/executor/threads";

const sampleMs = 50;

/** The memory of a process at some time, and its peak of private memory until then. Bytes. */
export interface SeenMemory extends HeldMemory {
  readonly peakBytes: number;
}

/** Looks again and again at what a process holds. */
export class MemoryWatch implements Disposable {
  readonly #pid: number;
  readonly #timer: NodeJS.Timeout;
  #peakBytes = 0;

  constructor(pid: number) {
    this.#pid = pid;
    this.#timer = setInterval(() => this.#look(), sampleMs);
  }

  /** @throws Error when the process has ended, or the system does not report its memory */
  now(): SeenMemory {
    const held = this.#look();
    if (held === undefined) throw new Error(`nothing is known of the memory of process ${this.#pid}`);
    return { ...held, peakBytes: this.#peakBytes };
  }

  /** The most since the last call. */
  takePeak(): number {
    const { peakBytes } = this.now();
    this.#peakBytes = 0;
    return peakBytes;
  }

  #look(): HeldMemory | undefined {
    const held = heldMemory(this.#pid);
    this.#peakBytes = Math.max(this.#peakBytes, held?.privateBytes ?? 0);
    return held;
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }
}
