import { Worker } from "node:worker_threads";
import { bystander, until } from "@vedette/testing";
import type { AttackedProgram, HonestQuestion } from "./Attack.js";
import type { ProbedAnswer, ProbePlace } from "./statusProbe.js";

/** How long answers to the honest client took. */
export interface AnswerTimes {
  readonly count: number;
  readonly p99Ms: number;
  readonly longestMs: number;
  /** The same without the time in which the client or the program waited for a core that other programs had. */
  readonly ownP99Ms: number;
  readonly ownLongestMs: number;
  /** Answers that were not right, or did not come. */
  readonly failures: readonly string[];
}

const status: HonestQuestion = { path: "/status", answer: '"peerList"' };

/** An honest client that requests the status steadily, from an address and in a thread of its own. */
export class HonestClient implements AsyncDisposable {
  readonly #thread: Worker;
  #answers: ProbedAnswer[] = [];

  constructor({ statusPort, pid, question = status }: Pick<AttackedProgram, "statusPort" | "pid" | "question">) {
    const workerData: ProbePlace = { port: statusPort, pid, address: bystander, question };
    this.#thread = new Worker(new URL("./statusProbe.js", import.meta.url), { workerData });
    this.#thread.on("message", (answer: ProbedAnswer) => this.#answers.push(answer));
  }

  /** How many answers came since the last {@link take}. */
  get count(): number {
    return this.#answers.length;
  }

  /** Waits until this many answers have come since the last {@link take}. */
  async untilAnswered(count: number): Promise<void> {
    const state = () => `there are ${this.count}`;
    // As long as answers come, however slowly, none of them is late.
    for (let next = 1; next <= count; next += 1)
      await until(`answer ${next} of ${count} to an honest client`, () => this.count >= next, { state });
  }

  /** Returns the answers since the last call. */
  take(): AnswerTimes {
    const answers = this.#answers;
    this.#answers = [];
    const failures = answers.flatMap(({ failure }) => (failure === undefined ? [] : [failure]));
    const [p99Ms, longestMs] = p99AndLongest(answers.map(({ ms }) => ms));
    const [ownP99Ms, ownLongestMs] = p99AndLongest(answers.map(({ ownMs }) => ownMs));
    return { count: answers.length, p99Ms, longestMs, ownP99Ms, ownLongestMs, failures };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#thread.terminate();
  }
}

function p99AndLongest(times: readonly number[]): readonly [number, number] {
  const sorted = [...times].sort((left, right) => left - right);
  return [sorted[Math.max(0, Math.ceil(sorted.length * 0.99) - 1)] ?? 0, sorted.at(-1) ?? 0];
}
