import { ClientError } from "../failure/ClientError.js";
import type { DeployStatus, FullBlock, LightBlock } from "../http/answers.js";
import { namedRejection } from "./namedRejection.js";

/** As much of a block as waiting needs. */
export interface BlockName {
  readonly blockHash: string;
  readonly blockNumber: bigint;
}

/** The status of a deploy in a final block. */
export type FinalizedDeployStatus =
  /** In the final state; of several blocks that hold it, this one's copy is. */
  | { readonly status: "appliedToState"; readonly blockHash: string }
  /** It failed in this final block. */
  | {
      readonly status: "failed";
      readonly blockHash: string;
      /** Whether no block can bring it any more. @spec 61 §13.8 */
      readonly isDecided: boolean;
    }
  /**
   * A merge gave it up, and validators propose it again by themselves, as on f1r3node networks; or they have, and
   * the other block is not final yet.
   *
   * @spec 61 §17
   */
  | { readonly status: "reproposed" }
  /** A merge gave it up, for good. */
  | { readonly status: "rejected"; readonly blockHash: string; readonly rejectedBy: string }
  /** It did not come into the final state, and no block can bring it any more. */
  | { readonly status: "expired" };

/** A deploy's state as f1r3node nodes report it. @spec 50 §1.14 */
export type FinalizationState = "Finalized" | "Failed" | "Pending" | "Expired";

/** The requests that a client must be able to send. */
export interface FinalizedDeployStatusReader {
  blockSpan(start: number, end: number): Promise<LightBlock[]>;
  deployStatus(deployId: string): Promise<DeployStatus>;
  /** `undefined` where the node does not report it. */
  finalizationState(deployId: string): Promise<FinalizationState | undefined>;
  isFinalized(hash: string): Promise<boolean>;
  block(hash: string): Promise<FullBlock>;
  lastFinalizedBlock(): Promise<FullBlock>;
}

/**
 * Finds out whether what a final block holds is in the final state.
 *
 * Nodes of rnode do not report it: there the final blocks above it decide, which name what their merges gave up.
 *
 * @spec 40 §12.3, 50 §1.13
 * @param deployId in lower-case hex
 */
export async function fetchFinalizedDeployStatus(
  client: FinalizedDeployStatusReader,
  deployId: string,
  block: BlockName,
): Promise<FinalizedDeployStatus> {
  const reported = await queryStatus(client, deployId);
  if (reported === undefined)
    return await resolveFinalizedDeployStatus(await client.finalizationState(deployId), block, {
      rejecter: () => rejectionByName(client, deployId, block),
      hasFailed: () => hasFailedIn(client, deployId, block),
    });
  const [first] = reported.blocks;
  const blockHash = first?.block.blockHash ?? block.blockHash;
  switch (reported.status) {
    case "finalized":
      return { status: "appliedToState", blockHash };
    case "failed":
    case "failedSoFar":
      return { status: "failed", blockHash, isDecided: reported.status === "failed" };
    case "rejected":
    case "expired":
      return typeof first?.rejectedBy === "string"
        ? { status: "rejected", blockHash, rejectedBy: first.rejectedBy }
        : { status: "expired" };
    default:
      return { status: "reproposed" };
  }
}

/** The requests for blocks if the node's own answer is not complete. */
export interface DeployBlockReads {
  /** The final block that names the deploy as given up. */
  rejecter(): Promise<string | undefined>;
  /** Whether the deploy failed in the block. */
  hasFailed(): Promise<boolean>;
}

/**
 * The same from an f1r3node node's report; from the blocks alone where it reports nothing.
 *
 * @spec 40 §12.3, 50 §1.14
 */
export async function resolveFinalizedDeployStatus(
  state: FinalizationState | undefined,
  { blockHash }: BlockName,
  { rejecter, hasFailed }: DeployBlockReads,
): Promise<FinalizedDeployStatus> {
  if (state === "Finalized") return { status: "appliedToState", blockHash };
  if (state === "Failed") return { status: "failed", blockHash, isDecided: true };
  if (state !== "Expired" && (await hasFailed())) return { status: "failed", blockHash, isDecided: false };
  if (state === "Pending") return { status: "reproposed" };
  const rejectedBy = await rejecter();
  if (rejectedBy !== undefined) return { status: "rejected", blockHash, rejectedBy };
  return state === undefined ? { status: "appliedToState", blockHash } : { status: "expired" };
}

async function hasFailedIn(
  client: FinalizedDeployStatusReader,
  deployId: string,
  { blockHash }: BlockName,
): Promise<boolean> {
  const { deploys } = await client.block(blockHash);
  return deploys.some(({ sig, errored }) => errored && sig.toLowerCase() === deployId);
}

async function queryStatus(client: FinalizedDeployStatusReader, deployId: string): Promise<DeployStatus | undefined> {
  try {
    return await client.deployStatus(deployId);
  } catch (error) {
    if (error instanceof ClientError && ["notOffered", "refused"].includes(error.failure.code)) return undefined;
    throw error;
  }
}

function rejectionByName(client: FinalizedDeployStatusReader, deployId: string, { blockNumber }: BlockName) {
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
