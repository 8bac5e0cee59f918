import type { JsonValue } from "@vedette/api";
import { checkVaultAddress, toHex, vaultAddressOfPublicKey } from "@vedette/crypto";
import type { Deploy } from "@vedette/protocol";
import type { DeployEntry } from "../../history/historyEntries.js";
import type { HistoryPlace } from "../../history/historyKeys.js";
import {
  type BlockDecision,
  type HistoryQueries,
  type HistoryQuestion,
  placeOfCursor,
} from "../../query/HistoryQueries.js";
import { Problem } from "../../query/Problem.js";

/** How a page is asked for. */
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
): HistoryQuestion {
  const fault = checkVaultAddress(address);
  if (fault !== undefined)
    throw new Problem(`query.address is no vault address: ${fault}.`, { field: "query.address" });
  const place = after === undefined ? undefined : placeOfCursor(after);
  if (after !== undefined && place === undefined)
    throw new Problem("query.after must be the `next` of an earlier page.", { field: "query.after" });
  return { address, limit, after: place, forks };
}

export function placedBlock(place: Pick<HistoryPlace, "blockHash" | "height">, status: BlockDecision): JsonValue {
  return { blockHash: toHex(place.blockHash), blockNumber: place.height, status };
}

export function indexFacts(queries: HistoryQueries): JsonValue {
  const { isComplete, done, total, transfersSince } = queries.facts();
  return { isComplete, blocks: done, total, transfersSince };
}

/** What the deployer said. */
export function deployFacts(deploy: DeployEntry | Deploy): { readonly [name: string]: JsonValue } {
  const { deployer, timestamp, phloPrice, phloLimit, validAfterBlockNumber } = deploy;
  return {
    deployId: toHex("signature" in deploy ? deploy.signature : deploy.deployId),
    deployer: toHex(deployer),
    address: vaultAddressOfPublicKey(deployer) ?? null,
    sigAlgorithm: "algorithm" in deploy ? deploy.algorithm : deploy.sigAlgorithm,
    ...{ timestamp, phloPrice, phloLimit, validAfterBlockNumber },
  };
}

/** The block whose merge gave a deploy up, as it is told. */
export function toldRejection(rejectedBy: Uint8Array | undefined): string | null {
  return rejectedBy === undefined ? null : toHex(rejectedBy);
}
