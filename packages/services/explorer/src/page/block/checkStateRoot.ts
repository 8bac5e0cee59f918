import { fromHex, toHex } from "@vedette/client";
import { verifyStateProof } from "@vedette/client/proof";
import { node } from "../../data/node.js";
import { proofTermsOf } from "../state/proofTermsOf.js";
import { dialectOfBlock } from "./readBlock.js";

/** The name whose entry, or absence, is looked up on the way: every state says something of it. */
const anyName = "Nil";

/**
 * Checks that a block's hash covers the root of the state after it, and that the root is that of a state.
 *
 * Nothing but the hash is believed: it is the name under which everybody knows the block.
 *
 * @returns nodes on the way, and the bytes that were hashed
 * @throws {StateProofError} where the proof shows something else; {ClientError} where there is none
 */
export async function checkStateRoot(
  blockHash: string,
  claimedRoot: string,
): Promise<{ nodes: number; bytes: number }> {
  const { proof } = await node.stateData(blockHash, { name: [anyName], proof: true, anchor: "block", limit: 0 });
  const { form } = await proofTermsOf(await dialectOfBlock(blockHash));
  const proven = verifyStateProof(proof, { blockHash: fromHex(blockHash) }, undefined, form);
  const root = toHex(proven.root);
  if (root !== claimedRoot)
    throw new Error(`The block's hash covers the root ${root}, not the one that the node reports`);
  return { nodes: proof?.nodes.length ?? 0, bytes: (proof?.block?.content.length ?? 0) / 2 };
}
