import type { TaskLease, VerifyQueue } from "../verify/VerifyQueue.js";

interface Waiting {
  readonly key: string;
  readonly bytes: Uint8Array;
  deliveries: number;
}

/** Tasks and results in memory, for all that share it. A lease ends when a test ends it. */
export class MemoryQueue implements VerifyQueue {
  readonly label = "memory";
  readonly leaseMs = 60_000;
  readonly tasks: Waiting[] = [];
  readonly leased = new Map<string, Waiting>();
  readonly kept = new Map<string, Uint8Array>();
  progress: Uint8Array | undefined;
  /** May fail. */
  before: () => void = () => {};
  #news: string[] = [];

  async open(): Promise<void> {
    this.before();
    this.#news = [...this.kept.keys()];
  }

  async add(key: string, bytes: Uint8Array): Promise<boolean> {
    this.before();
    if (this.leased.has(key) || this.tasks.some((task) => task.key === key)) return false;
    this.tasks.push({ key, bytes, deliveries: 0 });
    return true;
  }

  async take(): Promise<TaskLease | undefined> {
    this.before();
    const task = this.tasks.shift();
    if (task === undefined) {
      await new Promise((resolve) => setTimeout(resolve, 1));
      return undefined;
    }
    task.deliveries += 1;
    this.leased.set(task.key, task);
    return {
      ...{ subject: `task.${task.key}`, bytes: task.bytes, deliveries: task.deliveries },
      extend: () => undefined,
      finish: async () => void this.leased.delete(task.key),
      giveBack: () => this.expire(task.key),
    };
  }

  /** Ends a lease, as when its holder is silent for too long. */
  expire(key: string): void {
    const task = this.leased.get(key);
    if (task !== undefined) this.tasks.push(task);
    this.leased.delete(key);
  }

  async report(key: string, bytes: Uint8Array): Promise<void> {
    this.before();
    this.kept.set(key, bytes);
    this.#news.push(key);
  }

  async results(): Promise<readonly { readonly subject: string; readonly bytes: Uint8Array }[]> {
    this.before();
    const keys = new Set(this.#news);
    this.#news = [];
    return [...keys].map((key) => ({ subject: `result.${key}`, bytes: this.kept.get(key)! }));
  }

  async publishProgress(bytes: Uint8Array): Promise<void> {
    this.before();
    this.progress = bytes;
  }

  async lastProgress(): Promise<Uint8Array | undefined> {
    return this.progress;
  }

  async clear(): Promise<void> {
    this.kept.clear();
    this.tasks.length = 0;
  }

  async [Symbol.asyncDispose](): Promise<void> {}
}
