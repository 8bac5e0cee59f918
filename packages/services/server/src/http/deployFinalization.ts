import { deployFinalizationRoute } from "@vedette/api";
import { fromHexPadded, toHex } from "@vedette/crypto";
import { type AccountQueries, Problem } from "@vedette/queries";
import type { FastifyInstance } from "fastify";
import { serve } from "./serve.js";

/** `GET /deploy-finalization-status/{signature}`, for clients of f1r3node. @spec 50 §1.14 */
export function registerDeployFinalization(server: FastifyInstance, accounts: AccountQueries): void {
  serve(server, deployFinalizationRoute, ({ params }) => {
    const { state, rejections, latestBlock } = accounts.finalization(signatureOf(params.signature));
    const latest = latestBlock === undefined ? null : toHex(latestBlock);
    return { state, rejection_count: rejections, latest_block_hash: latest };
  });
}

/** @throws {Problem} */
function signatureOf(text: string): Uint8Array {
  const signature = fromHexPadded(text.startsWith("0x") ? text.slice(2) : text);
  if (signature === undefined || signature.length === 0)
    throw new Problem("The signature must be hexadecimal digits.", { kind: "invalid_hash" });
  return signature;
}
