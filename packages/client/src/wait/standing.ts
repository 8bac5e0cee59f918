import { ClientError } from "../failure/ClientError.js";
import type { DeployStatus, FullBlock, LightBlock } from "../http/answers.js";
import { namedRejection } from "./namedRejection.js";
import type { BlockName } from "./waitForDeploy.js";

/** Where a deploy stands that a final block holds. */
export interface Standing {
  /** Of the block that counts: of several, the one whose deploy is in the state. */
  readonly blockHash: string;
  /** The block whose merge gave the deploy up; `undefined` where it is in the state. */
  readonly rejectedBy: string | undefined;
}

/** As much as a client must be able to ask. */
export interface StandingReads {
  blockSpan(start: number, end: number): Promise<LightBlock[]>;
  deployStatus(deployId: string): Promise<DeployStatus>;
  isFinalized(hash: string): Promise<boolean>;
  lastFinalizedBlock(): Promise<FullBlock>;
}

/**
 * Finds out whether what a final block holds is in the final state.
 *
 * Nodes of the reference do not know: there the final blocks above it tell, which name what their merges gave up.
 *
 * @spec 40 §12.3, 50 §1.13
 * @param deployId in lower-case hex
 */
export async function standingOf(client: StandingReads, deployId: string, block: BlockName): Promise<Standing> {
  const { blockHash } = block;
  const told = await askStatus(client, deployId);
  if (told === undefined) return { blockHash, rejectedBy: await rejectionByName(client, deployId, block) };
  const [first] = told.blocks;
  if (first?.block.status !== "finalized") return { blockHash, rejectedBy: undefined };
  return { blockHash: first.block.blockHash, rejectedBy: first.rejectedBy ?? undefined };
}

async function askStatus(client: StandingReads, deployId: string): Promise<DeployStatus | undefined> {
  try {
    return await client.deployStatus(deployId);
  } catch (error) {
    if (error instanceof ClientError && ["notOffered", "refused"].includes(error.failure.code)) return undefined;
    throw error;
  }
}

function rejectionByName(client: StandingReads, deployId: string, { blockNumber }: BlockName) {
  return namedRejection(
    {
      finalizedNumber: async () => (await client.lastFinalizedBlock()).blockInfo.blockNumber,
      blocksOfHeights: (start, end) => client.blockSpan(Number(start), Number(end)),
      isFinalized: (hash) => client.isFinalized(hash),
    },
    deployId,
    blockNumber,
  );
}
