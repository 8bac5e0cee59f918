import { toHex } from "@vedette/crypto";
import type { Deploy } from "@vedette/protocol";
import { ClientError } from "../failure/ClientError.js";
import { isUnknownDeploy } from "../failure/isUnknownDeploy.js";
import type { LightBlock, ProcessedDeployInfo } from "../http/answers.js";
import type { HttpClient } from "../http/HttpClient.js";
import { RhoUnforgeable, type RhoValue } from "../value/RhoValue.js";
import { poll } from "./poll.js";
import { fetchFinalizedDeployStatus } from "./standing.js";
import type { WaitOptions } from "./waitForDeploy.js";

/** The outcome of a deploy. */
export type DeployOutcome =
  | {
      /** A finalized block holds it, and its program ran. */
      readonly status: "finalized";
      readonly block: LightBlock;
      readonly deploy: ProcessedDeployInfo;
      /** The values that the program sent to its deploy id. */
      readonly values: readonly RhoValue[];
    }
  | {
      /**
       * A finalized block holds it, and its program failed, or could not be paid; `failedSoFar`: another block may still
       * bring it into the state, which hardly ever happens.
       *
       * @spec 61 §13.8
       */
      readonly status: "failed" | "failedSoFar";
      readonly block: LightBlock;
      readonly deploy: ProcessedDeployInfo;
      readonly reason: string;
    }
  | {
      /**
       * A finalized block holds it, but a merge of parents gave it up for good: nothing of it is in the state.
       *
       * @spec 40 §12.3
       */
      readonly status: "rejected";
      readonly block: LightBlock;
      /** The block that merged. */
      readonly rejectedBy: string;
    }
  | {
      /** Nothing of it is in the final state, and no block can bring it any longer. */
      readonly status: "expired";
      readonly finalizedBlockNumber: bigint;
    };

/** A deploy goes into blocks up to so far above the number that it is valid after. @spec 40 §5.3 */
const lifespan = 50n;
/** A block that is so far below the top is finalized or never will be. @spec 50 §1.7 */
const settledDepth = 100n;

/**
 * Waits until it is certain what became of a deploy.
 *
 * @spec 50 §8.5, 40 §5.3
 * @param client any node: it only reads
 * @throws {ClientError} `waitedTooLong`, `cancelled`, or what the client throws
 */
export async function waitForOutcome(
  client: HttpClient,
  deploy: Deploy,
  options: WaitOptions<LightBlock>,
): Promise<DeployOutcome> {
  const id = toHex(deploy.signature);
  let known: string | undefined;
  const found = await poll("The deploy was not finalized", options, async () => {
    const block = await findBlock(client, id);
    if (block !== undefined && block.blockHash !== known) options.onIncluded?.(block);
    known = block?.blockHash;
    if (block !== undefined && (await client.isFinalized(block.blockHash))) {
      const standing = await fetchFinalizedDeployStatus(client, id, block);
      if (standing.status === "expired") return await expired(client);
      if (standing.status !== "reproposed") return { block, standing };
    }
    return await expiry(client, deploy, block !== undefined);
  });
  if ("status" in found) return found;
  const { standing } = found;
  const isFound = standing.blockHash === found.block.blockHash;
  const block = isFound ? found.block : (await client.block(standing.blockHash)).blockInfo;
  if (standing.status === "rejected") return { status: "rejected", block, rejectedBy: standing.rejectedBy };
  const isDecided = standing.status === "appliedToState" || standing.isDecided;
  return await outcomeIn(client, id, block, isDecided ? "failed" : "failedSoFar");
}

async function findBlock(client: HttpClient, id: string): Promise<LightBlock | undefined> {
  try {
    return await client.findDeploy(id);
  } catch (error) {
    if (isUnknownDeploy(error)) return undefined;
    throw error;
  }
}

async function expiry(
  client: HttpClient,
  { validAfterBlockNumber }: Deploy,
  isInBlock: boolean,
): Promise<ExpiredOutcome | undefined> {
  const outcome = await expired(client);
  // A block beside the main chain that holds it may be merged for a while.
  const last = validAfterBlockNumber + lifespan + (isInBlock ? settledDepth : 0n);
  return outcome.finalizedBlockNumber < last ? undefined : outcome;
}

type ExpiredOutcome = DeployOutcome & { readonly status: "expired" };

async function expired(client: HttpClient): Promise<ExpiredOutcome> {
  return { status: "expired", finalizedBlockNumber: (await client.lastFinalizedBlock()).blockInfo.blockNumber };
}

async function outcomeIn(
  client: HttpClient,
  id: string,
  block: LightBlock,
  ifFailed: "failed" | "failedSoFar",
): Promise<DeployOutcome> {
  const { deploys } = await client.block(block.blockHash);
  const deploy = deploys.find(({ sig }) => sig.toLowerCase() === id);
  if (deploy === undefined)
    throw new ClientError({
      code: "notUnderstood",
      address: client.connection.url,
      call: "block",
      reason: `block ${block.blockHash} does not hold the deploy that was found in it`,
    });
  if (deploy.systemDeployError !== "") return { status: ifFailed, block, deploy, reason: deploy.systemDeployError };
  if (deploy.errored) {
    const reason = deploy.cost >= deploy.phloLimit ? "the program used up its phlo" : "the program ran into an error";
    return { status: ifFailed, block, deploy, reason };
  }
  return { status: "finalized", block, deploy, values: await valuesAt(client, id, block.blockHash) };
}

async function valuesAt(client: HttpClient, id: string, blockHash: string): Promise<readonly RhoValue[]> {
  try {
    return (await client.dataAtNameAtBlock(new RhoUnforgeable("deploy", id), blockHash)).values;
  } catch (error) {
    // Most deploys send nothing to their id, and nodes then answer with an error (50 §1.9).
    if (error instanceof ClientError && error.failure.code === "refused") return [];
    throw error;
  }
}
