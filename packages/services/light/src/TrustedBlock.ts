import { BondSet } from "@vedette/chain/finality";
import { equalBytes } from "@vedette/crypto";
import { type Block, type Dialect, decodeBlock, hashBlock } from "@vedette/protocol";
import { LightError } from "./LightError.js";
import { knownBytes } from "./packedUpdate.js";
import { requireKnownVersion } from "./requireKnownVersion.js";

/** A block that is known to be final, and what of it later blocks are judged by. @spec 70 §3 */
export interface TrustedBlock {
  readonly hash: Uint8Array;
  readonly number: bigint;
  /** Unix milliseconds. */
  readonly timestamp: bigint;
  readonly shardId: string;
  /** As the block states them. */
  readonly bonds: BondSet;
  /** Root of the state that the block leaves: proofs of balances and data begin there. @spec 30 §10 */
  readonly postState: Uint8Array;
  /** The bytes that updates are packed against. @spec 70 §4.6 */
  readonly known: Uint8Array;
}

/** Returns the trusted facts of a verified block. */
export function trustedBlockOf(block: Block): TrustedBlock {
  const { bonds, postStateHash: postState } = block.body.state;
  const { hash, number, shardId } = block;
  const { timestamp } = block.header;
  return { hash, number, timestamp, shardId, bonds: new BondSet(bonds), postState, known: knownBytes(block) };
}

/**
 * Reads a block with a trusted hash, genesis or a checkpoint: the hash covers all needed parts of it.
 *
 * @param bytes    BlockMessageProto, from an untrusted source
 * @param expected the trusted hash
 * @throws {LightError} `form`, `otherGenesis`, `unknownRules`
 * @spec 70 §3
 */
export function readTrustedBlock(bytes: Uint8Array, expected: Uint8Array, dialect: Dialect): TrustedBlock {
  let block: Block;
  try {
    block = decodeBlock(bytes, dialect.blockForm);
  } catch (cause) {
    throw new LightError({ code: "form", field: "trusted block", problem: "is no block of this dialect" }, { cause });
  }
  const hash = hashBlock(block, dialect);
  if (!equalBytes(hash, expected)) throw new LightError({ code: "otherGenesis", claimed: hash, expected });
  requireKnownVersion(block);
  return { ...trustedBlockOf(block), hash };
}
