import { errorText } from "@vedette/errors";
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
  /** On f1r3node networks only, as the next two. @spec 61 §14.2 */
  | { readonly status: "ContainsTimeExpiredDeploy"; readonly deploy: Deploy }
  | { readonly status: "PrematureDeployRetry"; readonly deploy: Deploy; readonly rejectedIn: Uint8Array | undefined }
  /** @spec 61 §15.2 */
  | { readonly status: "UnauthorizedSlashDeploy"; readonly problem: SlashProblem; readonly invalidBlock: Uint8Array }
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
  | { readonly status: "InvalidParents"; readonly problem: "tooDeep"; readonly parent: Uint8Array }
  | { readonly status: "InvalidParents"; readonly problem: "none" }
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

/** The faults of a slash. @spec 61 §15.2 */
export type SlashProblem =
  | "sequenceNumber"
  | "issuer"
  | "epoch"
  | "unknownBlock"
  | "validBlock"
  | "evidenceEpoch"
  | "notBonded"
  | "repeated";

/** The result of validating a block. A `BlockException` is no judgement: the block is dropped. @spec 40 §5.1 */
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

/** Returns the status of a block if a check threw: for unknown facts of the chain, or a failure of the machine. */
export function exceptionOf(error: unknown): BlockStatus & { readonly status: "BlockException" } {
  const message = errorText(error);
  return { status: "BlockException", message, isOfMachine: !(error instanceof ChainError) };
}

/** The consequences of a status. @spec 40 §5.1, §5.2, §5.9 */
export interface StatusFacts {
  readonly meaning: string;
  /** It costs the block's creator its stake; such a block is recorded. */
  readonly isSlashable: boolean;
  /**
   * Any peer can make an honest block look like this: the signature covers the stated hash alone, and the hash does not
   * cover the justifications.
   */
  readonly isForgeable?: true;
  /** The check comes after that of the bonds: they were found to be those of the block's post-state. */
  readonly isAfterBonds?: true;
}

/** Every status, in the order of the checks. @spec 40 §5.1 */
export const blockStatuses: { readonly [status in BlockStatus["status"]]: StatusFacts } = {
  Valid: { meaning: "The block is valid.", isSlashable: false, isAfterBonds: true },
  InvalidBlockHash: {
    meaning: "The hash is not that of the block's content.",
    isSlashable: true,
    isForgeable: true,
  },
  InvalidTimestamp: {
    meaning: "The time lies before a parent's, or ahead of the clock by more than is tolerated.",
    isSlashable: false,
  },
  InvalidShardId: { meaning: "The block, or a deploy in it, is of another shard.", isSlashable: true },
  InvalidRepeatDeploy: { meaning: "A deploy is already in an earlier block.", isSlashable: true },
  InvalidBlockNumber: { meaning: "The number is not one more than the highest parent's.", isSlashable: true },
  ContainsFutureDeploy: { meaning: "A deploy is valid after a later block only.", isSlashable: true },
  ContainsExpiredDeploy: { meaning: "A deploy's time is over.", isSlashable: true },
  ContainsTimeExpiredDeploy: {
    meaning: "A deploy's time is over by the clock (f1r3node networks).",
    isSlashable: true,
  },
  PrematureDeployRetry: {
    meaning: "A deploy that a merge rejected comes again before that is final (f1r3node networks).",
    isSlashable: false,
  },
  UnauthorizedSlashDeploy: {
    meaning: "The block slashes without right (f1r3node networks).",
    isSlashable: true,
  },
  InvalidFollows: {
    meaning: "The justifications are not of exactly the bonded validators.",
    isSlashable: true,
    isForgeable: true,
  },
  InvalidParents: {
    meaning: "There are too many parents, an invalid one, or none that goes beyond the creator's last block.",
    isSlashable: true,
  },
  InvalidSequenceNumber: {
    meaning: "The sequence number is not one more than that of the creator's own justification.",
    isSlashable: true,
    isForgeable: true,
  },
  JustificationRegression: {
    meaning: "A justification is older than one that the creator has named before.",
    isSlashable: true,
    isForgeable: true,
  },
  InvalidTransaction: {
    meaning: "Execution gives another state, cost or log than the block states.",
    isSlashable: true,
  },
  InvalidRejectedDeploy: {
    meaning: "The deploys that the merge of the parents gave up are not those that the block states.",
    isSlashable: false,
  },
  InvalidCommitment: {
    meaning: "The justifications are not those that were signed (networks that judge by evidence).",
    isSlashable: false,
  },
  InvalidEvidence: {
    meaning: "The offences that the block states are not those in its past (networks that judge by evidence).",
    isSlashable: true,
  },
  InvalidBondsCache: { meaning: "The stated bonds are not those of the post-state.", isSlashable: true },
  NeglectedInvalidBlock: {
    meaning: "A justification is invalid, and the block does not slash its creator.",
    isSlashable: true,
    isForgeable: true,
    isAfterBonds: true,
  },
  NeglectedEquivocation: {
    meaning: "The creator knows of an equivocation and does not slash it.",
    isSlashable: true,
    isForgeable: true,
    isAfterBonds: true,
  },
  LowDeployCost: {
    meaning: "A deploy offers less for phlo than the network requires.",
    isSlashable: false,
    isAfterBonds: true,
  },
  AdmissibleEquivocation: {
    meaning: "A second block of its creator at one sequence number, which another block refers to.",
    isSlashable: true,
    isAfterBonds: true,
  },
  IgnorableEquivocation: {
    meaning: "A second block of its creator at one sequence number, which no other block refers to: it is dropped.",
    isSlashable: false,
    isAfterBonds: true,
  },
  BlockException: {
    meaning: "The block could not be judged: something failed, or it is beyond this node's limits. No judgement.",
    isSlashable: false,
  },
};

/**
 * Whether any peer can make an honest block look like this. Such a block is recorded only where the chain goes on from
 * it; otherwise it is dropped and may come again in its true form.
 *
 * @spec 40 §1.3, §5.9
 */
export function isForgeable({ status }: BlockStatus): boolean {
  return blockStatuses[status].isForgeable === true;
}

/** Whether the bonds that the block states were found to be those of its post-state: checks 15 to 18 come after. */
export function hasCheckedBonds({ status }: BlockStatus): boolean {
  return blockStatuses[status].isAfterBonds === true;
}

/** Whether the status costs the block's creator its stake; such a block is recorded. @spec 40 §5.1 */
export function isSlashable(status: BlockStatus): status is InvalidStatus {
  return blockStatuses[status.status].isSlashable;
}
