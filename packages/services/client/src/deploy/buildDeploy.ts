import { type Deploy, type DeployKey, signDeploy, type UnsignedDeploy } from "@vedette/protocol";
import type { RholangTerm } from "../value/rholang.js";
import { DeployError } from "./DeployError.js";

const largestInt64 = 2n ** 63n - 1n;

/** The defaults of wallets. @spec 50 §8.1, §8.5 */
export const deployDefaults = { phloLimit: 500_000n, phloPrice: 1n, shardId: "root" } as const;

/** A deploy to be signed; only the term, the time and the block number have no default. */
export interface DeployRequest {
  readonly term: string | RholangTerm;
  /** Unix milliseconds. */
  readonly timestamp: bigint;
  /** The deploy goes into no block up to this number; -1 for every block. */
  readonly validAfterBlockNumber: bigint;
  readonly phloLimit?: bigint | undefined;
  readonly phloPrice?: bigint | undefined;
  readonly shardId?: string | undefined;
  /** Unix milliseconds after which no block may have it, on f1r3node networks; others refuse such a deploy. */
  readonly expirationTimestamp?: bigint | undefined;
}

/**
 * Builds and signs a deploy.
 *
 * @spec 10 §1.3
 * @throws {DeployError} `emptyTerm`, `outOfRange`
 */
export function buildDeploy(request: DeployRequest, key: DeployKey): Deploy {
  return signDeploy(unsignedDeploy(request), key);
}

/**
 * Returns the signed fields of a deploy, with all defaults. @spec 10 §1.3 @throws {DeployError} as {@link buildDeploy}
 */
export function unsignedDeploy(request: DeployRequest): UnsignedDeploy {
  const term = String(request.term);
  const { timestamp, validAfterBlockNumber, expirationTimestamp } = request;
  const { phloLimit = deployDefaults.phloLimit, phloPrice = deployDefaults.phloPrice } = request;
  const { shardId = deployDefaults.shardId } = request;
  if (term.trim() === "") throw new DeployError({ code: "emptyTerm" });
  requireRange("phlo limit", phloLimit, 1n);
  requireRange("phlo price", phloPrice, 0n);
  requireRange("number of the block to be valid after", validAfterBlockNumber, -1n);
  requireRange("timestamp", timestamp, 0n);
  const signed = { term, timestamp, phloPrice, phloLimit, validAfterBlockNumber, shardId };
  if (expirationTimestamp === undefined) return signed;
  requireRange("time of expiration", expirationTimestamp, 1n);
  return { ...signed, expirationTimestamp };
}

/**
 * The number to be valid after that wallets take: one less than that of the newest block, so that a node that lacks
 * the newest block accepts the deploy, too.
 *
 * @spec 50 §8.5
 */
export function validAfterLatest(latestBlockNumber: bigint): bigint {
  return latestBlockNumber - 1n;
}

function requireRange(field: string, value: bigint, least: bigint): void {
  if (value < least || value > largestInt64) throw new DeployError({ code: "outOfRange", field, value, least });
}
