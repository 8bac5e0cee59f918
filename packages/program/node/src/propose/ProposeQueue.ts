import type { ProposeOptions, ProposeResult, Proposer } from "@vedette/chain";
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
  #followUp: ProposeOptions | undefined;
  #isClosed = false;

  constructor(maker: BlockMaker, emit: (event: NodeProposeEvent) => void) {
    this.#maker = maker;
    this.#emit = emit;
  }

  /** Whether a block is being made. */
  get isBusy(): boolean {
    return this.#current !== undefined;
  }

  async propose(isAsync: boolean, options: ProposeOptions = {}): Promise<ProposeAnswer> {
    if (this.#isClosed) return { kind: "busy" };
    if (this.#current !== undefined) {
      this.#followUp = {
        mayBeEmpty: mayBeEmpty(options) || (this.#followUp !== undefined && mayBeEmpty(this.#followUp)),
      };
      return { kind: "busy" };
    }
    if (!isAsync) return answerOf(await this.#start(options));
    return new Promise((resolve) => {
      const result = this.#start(options, (sequenceNumber) => resolve({ kind: "started", sequenceNumber }));
      // A proposal that ends before it has begun is answered with its result.
      void result.then((one) => resolve(answerOf(one)));
    });
  }

  /** Proposes a block, for a caller that does not need the result. */
  trigger(options?: ProposeOptions): void {
    void this.propose(false, options);
  }

  /** @returns `undefined` where another proposal is at work */
  async proposeNow(options: ProposeOptions = {}): Promise<ProposeResult | undefined> {
    return this.#current === undefined && !this.#isClosed ? this.#start(options) : undefined;
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

  #start(options: ProposeOptions, started?: (sequenceNumber: number) => void): Promise<ProposeResult> {
    this.#emit({ type: "proposeStarted" });
    const current = this.#resultOf(options, started).then((result) => {
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
  async #resultOf(options: ProposeOptions, started?: (sequenceNumber: number) => void): Promise<ProposeResult> {
    try {
      return await this.#maker.propose(started, options);
    } catch (error) {
      return { status: "BugError", sequenceNumber: 0, reason: errorText(error) };
    }
  }
}

function mayBeEmpty(options: ProposeOptions): boolean {
  return options.mayBeEmpty !== false;
}

function answerOf(result: ProposeResult): ProposeAnswer {
  if (result.status === "Success") return { kind: "created", blockHash: result.block.hash };
  const { status, sequenceNumber, reason } = result;
  return { kind: "notCreated", status, sequenceNumber, reason };
}
