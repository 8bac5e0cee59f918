import { deployStatusesRoute, deployStatusRoute, deploysRoute } from "@vedette/api";
import { fromHexPadded, vaultAddressOfPublicKey } from "@vedette/crypto";
import {
  type AccountQueries,
  type DeployEffects,
  type DeployHistory,
  DeployStatuses,
  type DeploySummaries,
  type NoteQueries,
  Problem,
} from "@vedette/queries";
import type { FastifyInstance } from "fastify";
import { serve } from "../serve.js";
import {
  deployFacts,
  deployNoteToJson,
  indexFacts,
  placedBlock,
  questionOf,
  rejectionToJson,
  signatureOf,
} from "./accountParts.js";

/** Most blocks of one deploy that are shown with why it failed: another one may have to be replayed. */
const maxNoted = 4;
/** Deploys of a list that are looked up in one turn. */
const inOneTurn = 50;

/** The sources of the answers about deploys. */
export interface DeploySources {
  readonly accounts: AccountQueries;
  readonly notes: NoteQueries;
  readonly summaries: DeploySummaries;
}

/** `GET /v2/deploys`, `GET /v2/deploy/{id}`, `POST /v2/deploy-statuses`. @spec 50 §1.13 */
export function registerDeploys(server: FastifyInstance, { accounts, notes, summaries }: DeploySources): void {
  const deployStatuses = new DeployStatuses(accounts);
  const summarize = async (histories: readonly (DeployHistory | undefined)[], client: string) =>
    (await summaries.findBrief(histories, client)).map((facts) => (facts === undefined ? null : [...facts]));
  serve(server, deploysRoute, async ({ query }, { request, signal }) => {
    const { entries, next } = accounts.deploys(questionOf(addressOf(query), query));
    const deploys = entries.map(({ entry, place, finality, rejectedBy }) => {
      const { cost, errored, systemDeployError } = entry;
      const outcome = { cost, errored, systemDeployError, rejectedBy: rejectionToJson(rejectedBy) };
      return { ...deployFacts(entry), ...outcome, block: placedBlock(place, finality) };
    });
    const page = { next: next ?? null, index: indexFacts(accounts) };
    if (query.summaries !== true) return { deploys, ...page };
    const visitor = { client: request.ip, signal };
    const histories: (DeployHistory | undefined)[] = [];
    // This many have a turn, then others may.
    for (let at = 0; at < entries.length; at += inOneTurn) {
      const signatures = entries.slice(at, at + inOneTurn).map(({ entry }) => entry.deployId);
      histories.push(...(await deployStatuses.histories(signatures, visitor)));
    }
    const briefs = await summarize(histories, request.ip);
    return { deploys: deploys.map((deploy, at) => ({ ...deploy, summary: briefs[at] ?? null })), ...page };
  });
  serve(server, deployStatusesRoute, async ({ body }, { request, signal }) => {
    const signatures = body.deployIds.map((id) => signatureOf(id, "body.deployIds"));
    const found = await deployStatuses.histories(signatures, { client: request.ip, signal });
    const statuses = found.map((history) => history?.status ?? null);
    if (body.summaries !== true) return { statuses };
    const timestamps = found.map((history) => history?.deploy.timestamp ?? null);
    return { statuses, summaries: await summarize(found, request.ip), timestamps };
  });
  serve(server, deployStatusRoute, async ({ params }, { request }) => {
    const found = accounts.deploy(signatureOf(params.id));
    if (found === undefined) {
      const since = accounts.blocksSince();
      const before = since === 0n ? "" : `; or in a block below #${since}, where this node's blocks begin`;
      const text = `No block of this node has the deploy, and its pool never had it; that of another node may have it${before}.`;
      throw new Problem(text, { status: 404, field: "params.id" });
    }
    const { status, reason, deploy, inclusions } = found;
    const noted = inclusions.slice(0, maxNoted).map(({ block }) => notes.find(block, deploy.signature, request.ip));
    const said = await Promise.all(noted);
    const blocks = inclusions.map(({ block, finality, rejectedBy, outcome }, index) => ({
      block: placedBlock({ blockHash: block.hash, height: block.number }, finality),
      ...{ cost: outcome.cost, errored: outcome.errored, systemDeployError: outcome.systemDeployError },
      ...{ rejectedBy: rejectionToJson(rejectedBy), ...deployNoteToJson(said[index]) },
    }));
    const { summary, transfers, names } = await summaries.find(found, said[0], request.ip);
    return {
      ...{ status, reason },
      deploy: { ...deployFacts(deploy), term: deploy.term, shardId: deploy.shardId },
      summary: [...summary],
      effects: { transfers: transfersToJson(transfers), names: names === undefined ? null : [...names] },
      blocks,
    };
  });
}

function transfersToJson(transfers: DeployEffects["transfers"]) {
  if (transfers === undefined) return null;
  return transfers.map(({ from, to, amount, failReason }) => {
    return { from, to, amount, isSuccessful: failReason === undefined, failReason: failReason ?? null };
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
