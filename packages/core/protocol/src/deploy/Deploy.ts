import type { DeploySignatureAlgorithm } from "@vedette/crypto";

/**
 * A user's signed request to run a term. Its id is the signature.
 *
 * The wire's `language` is not here: rnode drops it on reading. @spec 10 §1.3, 40 §1.1
 */
export interface Deploy {
  readonly deployer: Uint8Array;
  readonly term: string;
  /** Unix milliseconds. */
  readonly timestamp: bigint;
  readonly signature: Uint8Array;
  readonly algorithm: DeploySignatureAlgorithm;
  readonly phloPrice: bigint;
  readonly phloLimit: bigint;
  readonly validAfterBlockNumber: bigint;
  readonly shardId: string;
  /** Unix milliseconds after which it may not be in a block; 0 as absent: never. Of f1r3node. @spec 61 §1.2 */
  readonly expirationTimestamp?: bigint;
}

/** The signed fields of a deploy. @spec 10 §1.3 */
export type UnsignedDeploy = Omit<Deploy, "deployer" | "signature" | "algorithm">;
