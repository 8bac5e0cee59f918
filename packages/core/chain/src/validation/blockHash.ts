import { equalBytes } from "@vedette/crypto";
import { type Block, type Dialect, hashBlock } from "@vedette/protocol";
import type { InvalidStatus } from "./BlockStatus.js";

/** Check 1: the hash is the one that the content has. @spec 40 §5.3 */
export function checkBlockHash(block: Block, dialect: Dialect): InvalidStatus | undefined {
  const computed = hashBlock(block, dialect);
  return equalBytes(block.hash, computed) ? undefined : { status: "InvalidBlockHash", computed };
}
