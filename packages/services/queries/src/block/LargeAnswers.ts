import { FairQueue, FairQueueError, type QueuedRequest } from "../explore/FairQueue.js";
import { Overload } from "../explore/Overload.js";

/** The last answer is sent to all that request it within this time; shorter if a part is missing. */
const keptMs = { whole: 5_000, incomplete: 1_000 } as const;
/** Sixteen in all, each for all clients that request it. One client may have them while no other needs one. */
const queue = { running: 1, ofOneClient: 16, waiting: 15, longestWaitMs: 60_000 } as const;

/** An answer that takes much time and memory. */
export interface LargeAnswer {
  /** Whether nothing is missing that may be known soon. */
  readonly isComplete: boolean;
}

/** An answer that is made or waits to be made, in the place of the first client that requested it. */
interface Asked<Answer> extends Pick<QueuedRequest, "client"> {
  readonly answer: Promise<Answer>;
}

/**
 * Makes large answers one at a time, in turns by client, each once for all that request it. The number of those that
 * wait is bounded; the client with most of them gives way. The last one is kept for a while.
 *
 * @spec 50 §1.9
 */
export class LargeAnswers<Answer extends LargeAnswer> {
  readonly #gate = new FairQueue(queue);
  readonly #answers = new Map<string, Asked<Answer>>();
  #forgetLast: (() => void) | undefined;

  /**
   * @param key another one for each content
   * @param make begins when it is its turn
   * @throws {Overload}
   */
  async find(key: string, request: QueuedRequest, make: () => Promise<Answer>): Promise<Answer> {
    for (;;) {
      const asked = this.#answers.get(key) ?? this.#begin(key, request, make);
      try {
        return await asked.answer;
      } catch (error) {
        if (!(error instanceof FairQueueError)) throw error;
        const { code } = error.failure;
        // Another request has lost its place, or its client has gone: this one takes a place of its own.
        const isOfOther = asked.client !== request.client || (code === "cancelled" && request.signal?.aborted !== true);
        if (!isOfOther) throw new Overload(error.message, { isOfClient: code === "tooMany", cause: error });
      }
    }
  }

  #begin(key: string, request: QueuedRequest, make: () => Promise<Answer>): Asked<Answer> {
    const answer = this.#gate.run(request, make);
    const asked: Asked<Answer> = { client: request.client, answer };
    this.#answers.set(key, asked);
    const forget = () => {
      if (this.#answers.get(key) === asked) this.#answers.delete(key);
    };
    answer.then(({ isComplete }) => {
      this.#forgetLast?.();
      this.#forgetLast = forget;
      setTimeout(forget, keptMs[isComplete ? "whole" : "incomplete"]).unref();
    }, forget);
    return asked;
  }
}
