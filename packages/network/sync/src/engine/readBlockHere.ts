import { type Block, checkBlockNumbers, checkDeploySignatures, type Dialect, decodeBlock } from "@vedette/protocol";
import type { ReadBlock } from "../ports/ChainPort.js";

/** Quirk 40 §1.1: a block with a badly signed deploy cannot even be read. */
export function readBlockHere(dialect: Dialect): ReadBlock {
  return async (content): Promise<Block> => {
    const block = decodeBlock(content, dialect.blockForm);
    checkBlockNumbers(block);
    checkDeploySignatures(block, dialect);
    return block;
  };
}
