import type { BlockTable } from "@vedette/chain";
import { equalBytes } from "@vedette/crypto";
import { type Block, type Dialect, decodeBlock, hashBlock } from "@vedette/protocol";

/** The block that is stored under a hash; `undefined` where what is there is not that block. */
export function wholeBlock(blocks: BlockTable, hash: Uint8Array, dialect: Dialect): Block | undefined {
  try {
    const bytes = blocks.findBytes(hash);
    if (bytes === undefined) return undefined;
    const block = decodeBlock(bytes, dialect.blockForm);
    return equalBytes(block.hash, hash) && equalBytes(hashBlock(block, dialect), hash) ? block : undefined;
  } catch {
    // Whatever is wrong with it.
    return undefined;
  }
}
