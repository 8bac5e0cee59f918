import { checkFormat, checkSignature } from "@vedette/chain";
import {
  type Block,
  checkBlockNumbers,
  checkDeploySignatures,
  type Dialect,
  encodeBlock,
  hashBlock,
} from "@vedette/protocol";

/** The facts that follow from a block's bytes alone. */
export interface DecodedBlockFacts {
  /** Why its form or its signature is wrong. @spec 40 §5.2 */
  readonly malformed: string | undefined;
  /** The hash that its content has. @spec 40 §1.3 */
  readonly contentHash: Uint8Array;
  /** Its bytes as an encoder writes them, where they are others than the ones that came. */
  readonly otherBytes: Uint8Array | undefined;
}

/**
 * Does all that needs nothing but the block.
 *
 * @throws {WireError} for a badly signed deploy (quirk 40 §1.1), and for a number that is none
 * @cost grows with its bytes and its deploys
 */
export function factsOf(block: Block, dialect: Dialect): DecodedBlockFacts {
  checkBlockNumbers(block);
  // Its counts are bounded before something is done for each.
  const malformed = checkFormat(block) ?? checkSignature(block, dialect);
  if (malformed === undefined) checkDeploySignatures(block, dialect);
  const otherBytes = block.cachedEncoding === undefined ? encodeBlock(block) : undefined;
  return { malformed, contentHash: hashBlock(block, dialect), otherBytes };
}
