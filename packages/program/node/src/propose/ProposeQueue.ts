import type { ProposeResult, Proposer, ProposeWish } from "@vedette/chain";
import { errorText } from "@vedette/errors";
import type { ProposeAnswer, ProposePort } from "@vedette/queries";
import type { NodeProposeEvent } from "./NodeProposeEvent.js";

/** The maker that handles the queue's requests. */
export type BlockMaker = Pick<Proposer, "propose">;

/**
 * One proposal at a time. A request that comes while one is at work is turned away, but remembered: when the work
 * is done, one more proposal follows, however many came.
 *
 * @spec 40 §9.8, 50 §2.1, §3.4
 */
export class ProposeQueue implements ProposePort {
  readonly #maker: BlockMaker;
  readonly #emit: (event: NodeProposeEvent) => void;
  #current: Promise<ProposeResult> | undefined;
  #latest: ProposeResult | undefined;
  /** The merged requests that came while a block was being made. */
  #followUp: ProposeWish | undefined;
  #isClosed = false;

  constructor(maker: BlockMaker, emit: (event: NodeProposeEvent) => void) {
    this.#maker = maker;
    this.#emit = emit;
  }

  /** Whether a block is being made. */
  get isBusy(): boolean {
    return this.#current !== undefined;
  }

  async propose(isAsync: boolean, wish: ProposeWish = {}): Promise<ProposeAnswer> {
    if (this.#isClosed) return { kind: "busy" };
    if (this.#current !== undefined) {
      this.#followUp = { mayBeEmpty: mayBeEmpty(wish) || (this.#followUp !== undefined && mayBeEmpty(this.#followUp)) };
      return { kind: "busy" };
    }
    if (!isAsync) return answerOf(await this.#start(wish));
    return new Promise((resolve) => {
      const result = this.#start(wish, (sequenceNumber) => resolve({ kind: "started", sequenceNumber }));
      // A proposal that ends before it has begun is answered with its result.
      void result.then((one) => resolve(answerOf(one)));
    });
  }

  /** Proposes a block, for a caller that does not need the result. */
  trigger(wish?: ProposeWish): void {
    void this.propose(false, wish);
  }

  /** @returns `undefined` where another proposal is at work */
  async proposeNow(wish: ProposeWish = {}): Promise<ProposeResult | undefined> {
    return this.#current === undefined && !this.#isClosed ? this.#start(wish) : undefined;
  }

  async latestResult(): Promise<ProposeAnswer | undefined> {
    const result = (await this.#current) ?? this.#latest;
    return result === undefined ? undefined : answerOf(result);
  }

  /** Takes no more requests and waits for the block that is being made. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#followUp = undefined;
    await this.#current;
  }

  #start(wish: ProposeWish, started?: (sequenceNumber: number) => void): Promise<ProposeResult> {
    this.#emit({ type: "proposeStarted" });
    const current = this.#resultOf(wish, started).then((result) => {
      this.#latest = result;
      this.#current = undefined;
      const followUp = this.#followUp;
      this.#followUp = undefined;
      if (followUp !== undefined) void this.#start(followUp);
      return result;
    });
    this.#current = current;
    return current;
  }

  /** Whatever goes wrong, the next proposal must be possible. */
  async #resultOf(wish: ProposeWish, started?: (sequenceNumber: number) => void): Promise<ProposeResult> {
    try {
      return await this.#maker.propose(started, wish);
    } catch (error) {
      return { status: "BugError", sequenceNumber: 0, reason: errorText(error) };
    }
  }
}

function mayBeEmpty(wish: ProposeWish): boolean {
  return wish.mayBeEmpty !== false;
}

function answerOf(result: ProposeResult): ProposeAnswer {
  if (result.status === "Success") return { kind: "created", blockHash: result.block.hash };
  const { status, sequenceNumber, reason } = result;
  return { kind: "notCreated", status, sequenceNumber, reason };
}
