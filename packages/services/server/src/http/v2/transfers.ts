import { transfersRoute } from "@vedette/api";
import { toHex } from "@vedette/crypto";
import type { AccountQueries } from "@vedette/queries";
import type { FastifyInstance } from "fastify";
import { serve } from "../serve.js";
import { indexFacts, placedBlock, questionOf, rejectionToJson } from "./accountParts.js";

/** Nothing of the deploy is in the state, whatever it did in its block. */
const rejectedText = "A merge gave the deploy up.";

/** `GET /v2/transfers`. @spec 50 §1.13 */
export function registerTransfers(server: FastifyInstance, accounts: AccountQueries): void {
  serve(server, transfersRoute, ({ query }) => {
    const { entries, next } = accounts.transfers(questionOf(query.address, query));
    const transfers = entries.map(({ entry, place, finality, rejectedBy }) => {
      const { kind, from, to, amount, deploy } = entry;
      const failReason = entry.failReason ?? (rejectedBy === undefined ? undefined : rejectedText);
      return {
        ...{ kind, from, to, amount },
        isSuccessful: failReason === undefined,
        failReason: failReason ?? null,
        deployId: deploy === undefined ? null : toHex(deploy.deployId),
        deployer: deploy === undefined ? null : toHex(deploy.deployer),
        rejectedBy: rejectionToJson(rejectedBy),
        index: place.index,
        block: placedBlock(place, finality),
      };
    });
    return { transfers, next: next ?? null, index: indexFacts(accounts) };
  });
}
