import type { Deploy } from "@vedette/protocol";
import { ChainError } from "../ChainError.js";

/** Why a block is not valid, with the facts. The names are the protocol's. @spec 40 §5.1 */
export type InvalidStatus =
  | { readonly status: "InvalidBlockHash"; readonly computed: Uint8Array }
  | {
      readonly status: "InvalidTimestamp";
      readonly timestamp: bigint;
      readonly notBefore: bigint;
      readonly notAfter: bigint;
    }
  | { readonly status: "InvalidShardId"; readonly found: string | undefined; readonly expected: string }
  | { readonly status: "InvalidRepeatDeploy"; readonly deploy: Deploy; readonly earlierBlock: Uint8Array }
  | { readonly status: "InvalidBlockNumber"; readonly number: bigint; readonly highestParent: bigint | undefined }
  | { readonly status: "ContainsFutureDeploy"; readonly deploy: Deploy }
  | { readonly status: "ContainsExpiredDeploy"; readonly deploy: Deploy }
  | {
      readonly status: "InvalidFollows";
      readonly justified: readonly Uint8Array[];
      readonly bonded: readonly Uint8Array[];
    }
  | { readonly status: "InvalidParents"; readonly problem: "tooMany"; readonly count: number; readonly limit: number }
  | {
      readonly status: "InvalidParents";
      readonly problem: "noProgress";
      readonly parents: readonly Uint8Array[];
      readonly previous: Uint8Array;
    }
  | { readonly status: "InvalidParents"; readonly problem: "invalid"; readonly parent: Uint8Array }
  | { readonly status: "InvalidSequenceNumber"; readonly sequenceNumber: number; readonly previous: number }
  | {
      readonly status: "JustificationRegression";
      readonly validator: Uint8Array;
      readonly hash: Uint8Array;
      readonly previous: Uint8Array;
    }
  | {
      readonly status: "InvalidTransaction";
      readonly problem: "preState" | "postState";
      readonly computed: Uint8Array;
      readonly stated: Uint8Array;
    }
  | { readonly status: "InvalidTransaction"; readonly problem: "replay"; readonly message: string }
  | { readonly status: "InvalidRejectedDeploy"; readonly computed: readonly Uint8Array[] }
  /** The justifications are not those that were signed. @spec 40 §16.1 */
  | { readonly status: "InvalidCommitment" }
  /** The offences that the block states are not those in its past. @spec 40 §16.3 */
  | { readonly status: "InvalidEvidence"; readonly expected: readonly Uint8Array[] }
  | { readonly status: "InvalidBondsCache" }
  | { readonly status: "NeglectedInvalidBlock"; readonly invalidBlock: Uint8Array }
  | { readonly status: "NeglectedEquivocation"; readonly validator: Uint8Array }
  | { readonly status: "LowDeployCost"; readonly deploy: Deploy; readonly minimum: bigint }
  | { readonly status: "AdmissibleEquivocation" }
  | {
      readonly status: "IgnorableEquivocation";
      readonly creatorJustification: Uint8Array | undefined;
      readonly latestMessage: Uint8Array | undefined;
    };

/** What validation says of a block. A `BlockException` is no judgement: the block is dropped. @spec 40 §5.1 */
export type BlockStatus =
  | { readonly status: "Valid" }
  | InvalidStatus
  /**
   * `isLimit`: it takes more than this machine gives one block, so that it may well be valid. `isOfMachine`: the machine
   * failed (a disk, a thread, a peer that gives a state), not the check.
   */
  | {
      readonly status: "BlockException";
      readonly message: string;
      readonly isLimit?: boolean;
      readonly isOfMachine?: boolean;
    };

/** What is said of a block in whose check something was thrown: what is not known of the chain, or a machine's failure. */
export function exceptionOf(error: unknown): BlockStatus & { readonly status: "BlockException" } {
  const message = error instanceof Error ? error.message : String(error);
  return { status: "BlockException", message, isOfMachine: !(error instanceof ChainError) };
}

const notSlashable: ReadonlySet<BlockStatus["status"]> = new Set([
  "Valid",
  "BlockException",
  "IgnorableEquivocation",
  "InvalidTimestamp",
  "InvalidRejectedDeploy",
  "LowDeployCost",
  "InvalidCommitment",
] as const);

const forgeable: ReadonlySet<BlockStatus["status"]> = new Set([
  "InvalidBlockHash",
  "InvalidFollows",
  "InvalidSequenceNumber",
  "JustificationRegression",
  "NeglectedInvalidBlock",
  "NeglectedEquivocation",
] as const);

/**
 * Whether any peer can make an honest block look like this: the signature covers the stated hash alone, and the hash
 * does not cover the justifications. Such a block is recorded only where the chain goes on from it; otherwise it is
 * dropped and may come again in its true form.
 *
 * @spec 40 §1.3, §5.9
 */
export function isForgeable(status: BlockStatus): boolean {
  return forgeable.has(status.status);
}

const afterBonds: ReadonlySet<BlockStatus["status"]> = new Set([
  "Valid",
  "NeglectedInvalidBlock",
  "NeglectedEquivocation",
  "LowDeployCost",
  "AdmissibleEquivocation",
  "IgnorableEquivocation",
] as const);

/** Whether the bonds that the block states were found to be those of its post-state: checks 15 to 18 come after. */
export function hasCheckedBonds(status: BlockStatus): boolean {
  return afterBonds.has(status.status);
}

/** Whether the status costs the block's creator its stake; such a block is recorded. @spec 40 §5.1 */
export function isSlashable(status: BlockStatus): status is InvalidStatus {
  return !notSlashable.has(status.status);
}
