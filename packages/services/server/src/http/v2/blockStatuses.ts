import { blockStatusesRoute, maxStatusHashes, maxStatusHeights } from "@vedette/api";
import { type AccountQueries, Problem } from "@vedette/queries";
import type { FastifyInstance } from "fastify";
import { serve } from "../serve.js";
import { placedBlock } from "./accountParts.js";

/** `GET /v2/block-statuses`. @spec 50 §1.13 */
export function registerBlockStatuses(server: FastifyInstance, accounts: AccountQueries): void {
  serve(server, blockStatusesRoute, ({ query: { from, to, hash } }) => {
    const found = hash === undefined ? ofHeights(accounts, from, to) : ofHash(accounts, hash, from ?? to);
    const blocks = found.map(({ block, finality }) =>
      placedBlock({ blockHash: block.hash, height: block.number }, finality),
    );
    return { blocks };
  });
}

/** @throws {Problem} */
function ofHeights(accounts: AccountQueries, from: bigint | undefined, to: bigint | undefined) {
  if (from === undefined || to === undefined)
    throw new Problem("query must have from and to, or hash.", {
      field: from === undefined ? "query.from" : "query.to",
    });
  const last = from + BigInt(maxStatusHeights - 1);
  return accounts.finalityOfHeights(from, to < last ? to : last);
}

/** @throws {Problem} */
function ofHash(accounts: AccountQueries, hash: string, height: bigint | undefined) {
  if (height !== undefined)
    throw new Problem("query must have from and to, or hash, not both.", { field: "query.hash" });
  if (!/^[0-9a-fA-F]+$/.test(hash))
    throw new Problem("query.hash must be hexadecimal digits.", { field: "query.hash" });
  return accounts.finalityOfPrefix(hash.toLowerCase(), maxStatusHashes);
}
