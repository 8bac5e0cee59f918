import { ClientError } from "../failure/ClientError.js";
import { isUnknownDeploy } from "../failure/isUnknownDeploy.js";
import { type PollOptions, poll } from "./poll.js";
import type { BlockName, FinalizedDeployStatus } from "./standing.js";

/** Finds deploys and their blocks: a client of HTTP or of gRPC. */
export interface DeployTracker<Id, Block extends BlockName> {
  /** @throws {ClientError} `refused`, see {@link isUnknownDeploy} */
  findDeploy(deployId: Id): Promise<Block>;
  isFinalized(hash: string): Promise<boolean>;
  /** Status of a deploy in a final block. A client without this method treats the deploy as part of the state. */
  standing?(deployId: Id, block: BlockName): Promise<FinalizedDeployStatus>;
}

/** How long to wait, and the interval of requests. */
export interface WaitOptions<Block extends BlockName = BlockName> extends PollOptions {
  /** Called with the first block that holds the deploy, and with every later one. */
  readonly onIncluded?: (block: Block) => void;
}

/**
 * Waits until a block holds a deploy.
 *
 * @spec 50 §8.1
 * @throws {ClientError} `waitedTooLong`, `cancelled`, or what the client throws
 */
export function waitForDeploy<Id, Block extends BlockName>(
  client: DeployTracker<Id, Block>,
  deployId: Id,
  options: WaitOptions<Block>,
): Promise<Block> {
  return poll("The deploy was in no block", options, async () => findBlock(client, deployId));
}

/**
 * Waits until a finalized block holds a deploy; if another block includes it later, that one counts. A deploy that a
 * merge rejected is waited for if it can be included again. A deploy that failed in a finalized block is not.
 *
 * @spec 50 §8.1
 * @throws {ClientError} `deployRejected` when a merge of parents rejected it for good, `deployExpired` when no block
 *   can include it in future; `waitedTooLong`, `cancelled`, or errors of the client
 */
export function waitForFinalization<Id, Block extends BlockName>(
  client: DeployTracker<Id, Block>,
  deployId: Id,
  options: WaitOptions<Block>,
): Promise<Block> {
  let known: string | undefined;
  return poll("The deploy was not finalized", options, async () => {
    const block = await findBlock(client, deployId);
    if (block === undefined) return undefined;
    if (block.blockHash !== known) options.onIncluded?.(block);
    known = block.blockHash;
    if (!(await client.isFinalized(block.blockHash))) return undefined;
    const standing = await client.standing?.(deployId, block);
    switch (standing?.status) {
      case "reproposed":
        return undefined;
      case "rejected":
        throw new ClientError({ code: "deployRejected", blockHash: block.blockHash, rejectedBy: standing.rejectedBy });
      case "expired":
        throw new ClientError({ code: "deployExpired" });
      default:
        return block;
    }
  });
}

/** Waits until a block is finalized. @throws {ClientError} `waitedTooLong`, `cancelled`, … */
export async function waitForFinalizedBlock(
  client: Pick<DeployTracker<never, BlockName>, "isFinalized">,
  hash: string,
  options: PollOptions,
): Promise<void> {
  await poll("The block was not finalized", options, async () => ((await client.isFinalized(hash)) ? true : undefined));
}

async function findBlock<Id, Block extends BlockName>(
  client: DeployTracker<Id, Block>,
  deployId: Id,
): Promise<Block | undefined> {
  try {
    return await client.findDeploy(deployId);
  } catch (error) {
    if (isUnknownDeploy(error)) return undefined;
    throw error;
  }
}
