import { fromHex, type HttpClient } from "@vedette/client";
import { type StateProofJson, verifyVaultBalance } from "@vedette/client/proof";
import type { Dialect } from "@vedette/protocol";
import { proofTermsOf } from "../state/proofTermsOf.js";

/** What was proven of a vault. */
export interface ProvenBalance {
  readonly balance: bigint;
  /** Whether the state has such a vault; one that nobody has sent to is not there. */
  readonly isThere: boolean;
}

type BalanceNode = Pick<HttpClient, "balances" | "stateData">;

/**
 * Checks what the node says that an address has after a block, from the hash of the block on.
 *
 * @throws {StateProofError} where the proof does not lead from the block to a balance; {Error} where it leads to another
 */
export async function proveBalance(
  node: BalanceNode,
  address: string,
  block: { readonly hash: string; readonly dialect: Pick<Dialect, "name"> },
): Promise<ProvenBalance> {
  const [[reported = 0n], { proof }, { form }] = await Promise.all([
    node.balances([address], block.hash),
    node.stateData(block.hash, { vault: [address], proof: true, anchor: "block", limit: 0 }),
    proofTermsOf(block.dialect),
  ]);
  if (proof === undefined) throw new Error("The node sent no proof");
  const trusted = { blockHash: fromHex(block.hash) };
  const proven = verifyVaultBalance(proof satisfies StateProofJson, trusted, address, form);
  if (proven === undefined && reported !== 0n)
    throw new Error("The state has no balance at the name that Vedette’s vaults have: other vaults have no proof here");
  if ((proven ?? 0n) !== reported)
    throw new Error(`The proof leads to ${proven}, not to the ${reported} that the node reports`);
  return { balance: reported, isThere: proven !== undefined };
}
