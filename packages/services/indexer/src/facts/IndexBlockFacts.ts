import type { BlockFinality, ChainMoment } from "@vedette/chain";
import type { Registration } from "@vedette/execution";
import type { TransferKind } from "@vedette/queries";
import type { PublicNameUse } from "@vedette/queries/deployEffects";

/** The facts of a block that the index receives. Bytes are lower-case hexadecimal digits. */
export interface IndexBlockFacts {
  readonly hash: string;
  readonly number: bigint;
  /** The main parent first. */
  readonly parents: readonly string[];
  /** Milliseconds since 1970. */
  readonly timestamp: bigint;
  /** Empty for genesis. */
  readonly sender: string;
  readonly seqNum: number;
  readonly preStateHash: string;
  readonly postStateHash: string;
  readonly sig: string;
  readonly sigAlgorithm: string;
  readonly shardId: string;
  readonly extraBytes: string;
  readonly version: bigint;
  readonly bonds: readonly BondFacts[];
  readonly justifications: readonly { readonly validator: string; readonly latestBlockHash: string }[];
  /** Deploys that its merge gave up. */
  readonly rejectedDeploys: readonly RejectedFacts[];
  readonly deploys: readonly DeployFacts[];
  readonly slashings: readonly SlashFacts[];
  /** In the block's order. Left out where they are not known. */
  readonly transfers: readonly TransferFacts[] | undefined;
  /** After the block, of the vaults that it names. Left out where they are not known. */
  readonly balances: readonly BalanceFacts[] | undefined;
  /** Whether its node reports what blocks did, but not for this one: its state is not here, and is never computed. */
  readonly lacksEffects?: boolean;
  readonly fate: BlockFinality;
  /** Deploys of it that a final merge gave up. */
  readonly rejections: readonly RejectionFacts[];
  /** The fault tolerance of a final block, from -1 to 1. Left out if it is unknown. */
  readonly faultTolerance: number | undefined;
  /** The newest block that the node had when it found this one final. Left out if it did not decide that. */
  readonly finalizedAt?: ChainMoment | undefined;
}

/** A deploy that a block lists as given up by its merge. */
export interface RejectedFacts {
  readonly id: string;
  /** Whether another copy of it was applied; `undefined` if blocks do not state it. @spec 61 §1.2 */
  readonly duplicate?: boolean | undefined;
  /** Hash of the block that has this copy; `undefined` if blocks do not state it. @spec 61 §1.2 */
  readonly carrier?: string | undefined;
}

/** A validator's stake. */
export interface BondFacts {
  readonly validator: string;
  readonly stake: bigint;
}

/** A deploy in a block. */
export interface DeployFacts {
  readonly id: string;
  readonly deployer: string;
  readonly term: string;
  readonly timestamp: bigint;
  readonly algorithm: string;
  readonly phloPrice: bigint;
  readonly phloLimit: bigint;
  readonly validAfterBlockNumber: bigint;
  readonly shardId: string;
  readonly cost: bigint;
  readonly errored: boolean;
  /** Whether its effect is in the state of the block. @spec 40 §12.5, 61 §12.4 */
  readonly hasEffect: boolean;
  /** Why it failed; `undefined` when it did not, or the reason is unknown. */
  readonly error: string | undefined;
  /** The public names that it used. Left out where they are not known. */
  readonly names: readonly PublicNameUse[] | undefined;
  /** Its entries in the registry. */
  readonly registered: readonly Registration[];
}

/** A validator that loses its stake in a block. */
export interface SlashFacts {
  /** Among the block's own deploys. */
  readonly position: number;
  readonly issuer: string;
  readonly invalidBlockHash: string;
  readonly error: string | undefined;
}

/** A movement between two vaults. */
export interface TransferFacts {
  readonly kind: TransferKind;
  readonly from: string;
  readonly to: string;
  readonly amount: bigint;
  readonly failReason: string | undefined;
  /** Place of the deploy in the block; `undefined` for what the protocol moved. */
  readonly deployId: string | undefined;
}

/** The balance of a vault. */
export interface BalanceFacts {
  readonly address: string;
  readonly dust: bigint;
}

/** A deploy with a requested final status. */
export interface JudgedFacts {
  readonly id: string;
  readonly validAfterBlockNumber: bigint;
}

/** A deploy that a merge gave up. */
export interface RejectionFacts {
  /** BLAKE2b-256 of its signature. */
  readonly idHash: string;
  /** The block that made the merge. */
  readonly rejectedBy: string;
}

/** Something that happened to the chain, as its event log has it. @spec 50 §4 */
export type IndexChange =
  | { readonly kind: "blockAdded"; readonly block: IndexBlockFacts }
  | {
      readonly kind: "blockFinalized";
      readonly hash: string;
      readonly rejections: readonly RejectionFacts[];
      readonly faultTolerance?: number | undefined;
      readonly finalizedAt?: ChainMoment | undefined;
    }
  | { readonly kind: "blockOrphaned"; readonly hash: string }
  | { readonly kind: "deploysRejected"; readonly hash: string; readonly rejections: readonly RejectionFacts[] }
  | { readonly kind: "deploysRestored"; readonly hash: string; readonly rejections: readonly RejectionFacts[] };
