import { type Block, checkDeploySignatures, decodeBlock } from "@vedette/protocol";

/** Quirk 40 §1.1: a block with a badly signed deploy cannot even be read. @throws {WireError} */
export async function readBlockHere(content: Uint8Array): Promise<Block> {
  const block = decodeBlock(content);
  checkDeploySignatures(block);
  return block;
}
