import { deployStatusRoute, deploysRoute } from "@vedette/api";
import { fromHexPadded, vaultAddressOfPublicKey } from "@vedette/crypto";
import type { FastifyInstance } from "fastify";
import type { HistoryQueries } from "../../query/HistoryQueries.js";
import { Problem } from "../../query/Problem.js";
import { serve } from "../serve.js";
import { deployFacts, indexFacts, placedBlock, questionOf, toldRejection } from "./historyParts.js";

/** `GET /v2/deploys`, `GET /v2/deploy/{id}`. @spec 50 §1.13 */
export function registerDeploys(server: FastifyInstance, history: HistoryQueries): void {
  serve(server, deploysRoute, ({ query }) => {
    const { entries, next } = history.deploys(questionOf(addressOf(query), query));
    const deploys = entries.map(({ entry, place, decision, rejectedBy }) => {
      const { cost, errored, systemDeployError } = entry;
      const outcome = { cost, errored, systemDeployError, rejectedBy: toldRejection(rejectedBy) };
      return { ...deployFacts(entry), ...outcome, block: placedBlock(place, decision) };
    });
    return { deploys, next: next ?? null, index: indexFacts(history) };
  });
  serve(server, deployStatusRoute, ({ params }) => {
    const found = history.deploy(signatureOf(params.id));
    if (found === undefined) {
      const text = "No block and no pool of this node has the deploy; it may still be in the pool of another node.";
      throw new Problem(text, { status: 404, field: "params.id" });
    }
    const { status, reason, deploy, inclusions } = found;
    const blocks = inclusions.map(({ block, decision, rejectedBy, outcome: { cost, errored, systemDeployError } }) => ({
      block: placedBlock({ blockHash: block.hash, height: block.number }, decision),
      ...{ cost, errored, systemDeployError, rejectedBy: toldRejection(rejectedBy) },
    }));
    const told = { status, ...(reason === undefined ? {} : { reason }) };
    return { ...told, deploy: { ...deployFacts(deploy), term: deploy.term, shardId: deploy.shardId }, blocks };
  });
}

/** @throws {Problem} */
function addressOf({ deployer, address }: { readonly deployer?: string; readonly address?: string }): string {
  if ((deployer === undefined) === (address === undefined))
    throw new Problem("query must have one of deployer and address.", { field: "query.deployer" });
  if (address !== undefined) return address;
  const publicKey = /^([0-9a-fA-F]{2})+$/.test(deployer!) ? fromHexPadded(deployer!) : undefined;
  const found = publicKey === undefined ? undefined : vaultAddressOfPublicKey(publicKey);
  if (found === undefined)
    throw new Problem("query.deployer must be a public key: 130 hexadecimal digits.", { field: "query.deployer" });
  return found;
}

/** @throws {Problem} */
function signatureOf(text: string): Uint8Array {
  const signature = /^([0-9a-fA-F]{2})+$/.test(text) ? fromHexPadded(text) : undefined;
  if (signature === undefined)
    throw new Problem("params.id must be a deploy's signature: pairs of hexadecimal digits.", { field: "params.id" });
  return signature;
}
