import type { ProposeAnswer, ProposePort } from "@vedette/queries";
import type { ProposeQueue } from "../propose/ProposeQueue.js";
import type { ProposeSyncGate } from "./ProposeSyncGate.js";

/** How long a request for a block waits for a node that has just been started. */
const syncWaitTimeoutMs = 8_000;

/** The queue that receives requests for blocks, and the gate that reports when the node can make them. */
export interface PatientProposalsOptions {
  readonly queue: Pick<ProposeQueue, "propose" | "latestResult">;
  readonly catchUp: Pick<ProposeSyncGate, "reason" | "done">;
  /** Whether there is a chain to go on with; joining a network takes longer than a request waits. */
  readonly hasChain: () => boolean;
  readonly syncWaitTimeoutMs?: number;
}

/** Holds requests for blocks right after a start, until the node has the blocks of its peers. @spec 40 §9.7 */
export class SyncGatedProposePort implements ProposePort {
  readonly #use: PatientProposalsOptions;

  constructor(use: PatientProposalsOptions) {
    this.#use = use;
  }

  async ready(): Promise<void> {
    const { catchUp, hasChain } = this.#use;
    if (hasChain() && catchUp.reason !== undefined)
      await catchUp.done(this.#use.syncWaitTimeoutMs ?? syncWaitTimeoutMs);
  }

  propose(isAsync: boolean): Promise<ProposeAnswer> {
    return this.#use.queue.propose(isAsync);
  }

  latestResult(): Promise<ProposeAnswer | undefined> {
    return this.#use.queue.latestResult();
  }
}
