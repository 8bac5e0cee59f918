import { type Block, type BlockForm, checkDeploySignatures, decodeBlock } from "@vedette/protocol";
import type { ReadBlock } from "../ports/ChainPort.js";

/** Quirk 40 §1.1: a block with a badly signed deploy cannot even be read. */
export function readBlockHere(form: BlockForm): ReadBlock {
  return async (content): Promise<Block> => {
    const block = decodeBlock(content, undefined, form);
    checkDeploySignatures(block);
    return block;
  };
}
