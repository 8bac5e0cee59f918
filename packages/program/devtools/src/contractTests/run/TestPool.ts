import type { Worker } from "node:worker_threads";
import { errorText } from "@vedette/errors";
import { startDeepThread, ThreadCalls } from "@vedette/executor/threads";
import type { CaseAnswer, CaseCall, CaseMethods, TestThreadContext } from "./testThread.js";

const heapSizeMb = 1024;

interface Place {
  readonly worker: Worker;
  readonly calls: ThreadCalls<CaseMethods>;
}

/** Threads on which cases run side by side; one that does not come to its end is ended and replaced. */
export class TestPool implements Disposable {
  readonly #idle: Place[] = [];
  readonly #waiting: ((place: Place) => void)[] = [];
  readonly #all = new Set<Place>();

  /** @param timeLimitMs the time limit of a case */
  constructor(
    private readonly ground: TestThreadContext,
    private readonly threads: number,
    private readonly timeLimitMs: number,
  ) {}

  async run(call: CaseCall): Promise<CaseAnswer> {
    const place = await this.#take();
    const failure = `It did not come to its end within ${this.timeLimitMs} ms (--time-limit)`;
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<CaseAnswer>((resolve) => {
      timer = setTimeout(() => resolve({ failure }), this.timeLimitMs);
    });
    try {
      const answer = await Promise.race([place.calls.call("run", call), timeout]);
      if (place.calls.pending > 0) this.#replace(place);
      else this.#give(place);
      return answer;
    } catch (error) {
      this.#replace(place);
      return { failure: `The thread that ran it has ended: ${errorText(error)}` };
    } finally {
      clearTimeout(timer);
    }
  }

  [Symbol.dispose](): void {
    for (const { worker } of this.#all) void worker.terminate();
  }

  #take(): Promise<Place> {
    const place = this.#idle.pop();
    if (place !== undefined) return Promise.resolve(place);
    if (this.#all.size < this.threads) return Promise.resolve(this.#start());
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  #give(place: Place): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#idle.push(place);
    else next(place);
  }

  #replace(place: Place): void {
    this.#all.delete(place);
    void place.worker.terminate();
    const next = this.#waiting.shift();
    if (next !== undefined) next(this.#start());
  }

  #start(): Place {
    const worker = startDeepThread(new URL("./testThread.js", import.meta.url), this.ground, { heapSizeMb });
    const place = { worker, calls: new ThreadCalls<CaseMethods>(worker, "test") };
    this.#all.add(place);
    return place;
  }
}
