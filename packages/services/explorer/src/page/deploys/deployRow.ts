import type { ListedDeploy } from "../../data/LiveChain.js";

/** The columns of {@link DeployRow}, for queries of the index. */
export const deployColumns = "deploy_id deployer phlo_cost errored block_hash block_number fate timestamp";

/** A deploy as the index returns it. */
export interface DeployRow {
  readonly deploy_id: string;
  readonly deployer: string;
  readonly phlo_cost: string;
  readonly errored: boolean;
  readonly block_hash: string;
  readonly block_number: string;
  readonly fate: NonNullable<ListedDeploy["fate"]>;
  readonly timestamp: string;
}

export function listedDeployOf(row: DeployRow): ListedDeploy {
  return {
    id: row.deploy_id,
    deployer: row.deployer,
    cost: BigInt(row.phlo_cost),
    errored: row.errored,
    blockHash: row.block_hash,
    blockNumber: Number(row.block_number),
    fate: row.fate,
    timestamp: Number(row.timestamp),
  };
}

/** Newer deploys come above the requested list. @param listed the newest first */
export function withNewer(listed: readonly ListedDeploy[], live: readonly ListedDeploy[]): ListedDeploy[] {
  const least = listed[0]?.blockNumber ?? 0;
  const known = new Set(listed.map(({ id }) => id));
  const newer = live.filter(({ id, blockNumber }) => blockNumber >= least && !known.has(id));
  return [...newer.sort((one, other) => other.blockNumber - one.blockNumber), ...listed];
}
