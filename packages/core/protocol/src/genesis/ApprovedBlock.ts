import type { Block } from "../block/Block.js";
import type { FloorSeed } from "./FloorSeed.js";

/** The block to begin with, and how many approvals it needs. @spec 40 §1.6 */
export interface ApprovedBlockCandidate {
  readonly block: Block;
  readonly requiredSignatures: number;
}

/** One approval. @spec 40 §1.6 */
export interface ApprovalSignature {
  readonly publicKey: Uint8Array;
  readonly algorithm: string;
  readonly signature: Uint8Array;
}

/** A candidate with the approvals that were given to it. @spec 40 §1.6 */
export interface ApprovedBlock {
  readonly candidate: ApprovedBlockCandidate;
  readonly signatures: readonly ApprovalSignature[];
  /** Not signed. Of f1r3node. @spec 61 §1.2 */
  readonly floorSeed?: FloorSeed;
}

/** A validator's approval of a candidate. @spec 40 §1.6 */
export interface BlockApproval {
  readonly candidate: ApprovedBlockCandidate;
  readonly signature: ApprovalSignature;
}

/** A candidate that requests approvals. @spec 40 §1.6 */
export interface UnapprovedBlock {
  readonly candidate: ApprovedBlockCandidate;
  /** Start of the ceremony, Unix milliseconds. */
  readonly timestamp: bigint;
  readonly durationMs: bigint;
}
