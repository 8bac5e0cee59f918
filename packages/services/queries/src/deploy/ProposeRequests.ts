import { toHex } from "@vedette/crypto";
import { ApiError } from "../ApiError.js";

/** The result of a request for a block. @spec 50 §2.1, §3.4 */
export type ProposeAnswer =
  | { readonly kind: "created"; readonly blockHash: Uint8Array }
  /** For an asynchronous request: the snapshot is taken. */
  | { readonly kind: "started"; readonly sequenceNumber: number }
  /** @param status a name of 40 §9.8, or one of Vedette's own, which has a reason */
  | {
      readonly kind: "notCreated";
      readonly status: string;
      readonly sequenceNumber: number;
      readonly reason?: string | undefined;
    }
  /** Another proposal is at work. */
  | { readonly kind: "busy" };

/** Makes blocks, one after the other. */
export interface ProposePort {
  /** Resolves when blocks can be made, or when that has been waited for long enough. */
  ready?(): Promise<void>;
  /** Asynchronous requests are answered as soon as the proposal has begun. */
  propose(isAsync: boolean): Promise<ProposeAnswer>;
  /** Waits for the proposal that is at work; `undefined` before the first one. */
  latestResult(): Promise<ProposeAnswer | undefined>;
}

/** The maker of blocks on this node, if there is one. */
export interface ProposeReads {
  /** Absent on a node without a validator's key. */
  readonly port: ProposePort | undefined;
  /** Whether the node takes part in the network. */
  isRunning(): boolean;
}

/** Answers of the propose API in its words. @spec 50 §2.1, §3.4 */
export class ProposeRequests {
  readonly #reads: ProposeReads;

  constructor(reads: ProposeReads) {
    this.#reads = reads;
  }

  /** Requests a block. @returns that it was made, or begun @throws {ApiError} why it was not @spec 50 §2.1, §3.4 */
  async propose(isAsync: boolean): Promise<string> {
    const { port } = this.#reads;
    if (port === undefined) throw new ApiError("Propose error: read-only node.", { reason: "readOnlyWanted" });
    await port.ready?.();
    if (!this.#reads.isRunning())
      throw new ApiError("Failure: casper instance is not available.", { reason: "notRunning" });
    const answer = await port.propose(isAsync);
    switch (answer.kind) {
      case "created":
        return createdText(answer.blockHash);
      case "started":
        return `Propose started (seqNum ${answer.sequenceNumber})`;
      case "busy":
        throw new ApiError("Failure: another propose is in progress", { reason: "failed" });
      case "notCreated":
        throw new ApiError(`Failure: ${answer.status} (seqNum ${answer.sequenceNumber})${reasonText(answer)}`, {
          reason: answer.status === "NoNewDeploys" ? "nothingToPropose" : "failed",
        });
    }
  }

  /** Returns how the last proposal ended. @throws {ApiError} when it made no block @spec 50 §3.4 */
  async latestResult(): Promise<string> {
    const { port } = this.#reads;
    if (port === undefined) throw new ApiError("Error: read-only node.");
    const answer = await port.latestResult();
    if (answer?.kind === "created") return createdText(answer.blockHash);
    // Quirk 50 §3.4: before the first proposal the text is that of a lack of synchrony.
    if (answer?.kind !== "notCreated") throw new ApiError(failureText("NotEnoughNewBlocks"));
    throw new ApiError(failureText(answer.status) + reasonText(answer));
  }
}

function createdText(blockHash: Uint8Array): string {
  return `Success! Block ${toHex(blockHash)} created and added.`;
}

/** @spec 40 §9.8 */
const failureTexts: Readonly<Record<string, string>> = {
  InternalDeployError: "internal deploy error",
  NotBonded: "ReadOnlyMode",
  NotEnoughNewBlocks: "Must wait for more blocks from other validators",
  TooFarAheadOfLastFinalized: "too far ahead of the last finalized block",
};

/** rnode's answers have no reasons, so only a status that rnode lacks comes with one. */
function reasonText({ status, reason }: { readonly status: string; readonly reason?: string | undefined }): string {
  return status === "NotSynchronized" && reason !== undefined ? `: ${reason}` : "";
}

function failureText(status: string): string {
  return `Proposal failed: ${failureTexts[status] ?? status}`;
}
