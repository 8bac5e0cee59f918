import type { BlockFinality } from "@vedette/chain";
import { checkVaultAddress, fromHexPadded, toHex, vaultAddressOfPublicKey } from "@vedette/crypto";
import type { DeployNote } from "@vedette/execution";
import type { Deploy } from "@vedette/protocol";
import {
  type AccountHistoryQuery,
  type AccountPlace,
  type AccountQueries,
  type DeployEntry,
  Problem,
  placeOfCursor,
} from "@vedette/queries";

/** The parameters of a page. */
interface PageParameters {
  readonly limit?: number;
  readonly after?: string;
  readonly forks?: boolean;
}

const usualLimit = 50;

/** @throws {Problem} */
export function questionOf(
  address: string,
  { limit = usualLimit, after, forks = false }: PageParameters,
): AccountHistoryQuery {
  const fault = checkVaultAddress(address);
  if (fault !== undefined)
    throw new Problem(`query.address is no vault address: ${fault}.`, { field: "query.address" });
  const place = after === undefined ? undefined : placeOfCursor(after);
  if (after !== undefined && place === undefined)
    throw new Problem("query.after must be the `next` of an earlier page.", { field: "query.after" });
  return { address, limit, after: place, forks };
}

export function placedBlock(place: Pick<AccountPlace, "blockHash" | "height">, status: BlockFinality) {
  return { blockHash: toHex(place.blockHash), blockNumber: place.height, status };
}

export function indexFacts(queries: AccountQueries) {
  const { isComplete, done, total, blocksSince, transfersSince } = queries.facts();
  return { isComplete, blocks: done, total, blocksSince, transfersSince };
}

/** Returns the deployer's statements. */
export function deployFacts(deploy: DeployEntry | Deploy) {
  const { deployer, timestamp, phloPrice, phloLimit, validAfterBlockNumber } = deploy;
  return {
    deployId: toHex("signature" in deploy ? deploy.signature : deploy.deployId),
    deployer: toHex(deployer),
    address: vaultAddressOfPublicKey(deployer) ?? null,
    sigAlgorithm: "algorithm" in deploy ? deploy.algorithm : deploy.sigAlgorithm,
    ...{ timestamp, phloPrice, phloLimit, validAfterBlockNumber },
  };
}

/** Returns the block with the merge that gave a deploy up, as JSON. */
export function rejectionToJson(rejectedBy: Uint8Array | undefined): string | null {
  return rejectedBy === undefined ? null : toHex(rejectedBy);
}

/** Returns a deploy's output in a block, and its errors; `undefined`: not available. */
export function deployNoteToJson(note: DeployNote | undefined) {
  if (note === undefined) return { errors: null, prints: null, isNoteCut: false };
  const errors = note.faults.map(({ class: name, text, line, column }) => ({
    ...{ class: name, text },
    ...{ line: line ?? null, column: column ?? null },
  }));
  return { errors, prints: note.prints.map((print) => ({ ...print })), isNoteCut: note.isCut };
}

/** A deploy as a request names it. @param field where @throws {Problem} */
export function signatureOf(text: string, field = "params.id"): Uint8Array {
  const signature = /^([0-9a-fA-F]{2})+$/.test(text) ? fromHexPadded(text) : undefined;
  if (signature === undefined)
    throw new Problem(`${field} must be a deploy's signature: pairs of hexadecimal digits.`, { field });
  return signature;
}
