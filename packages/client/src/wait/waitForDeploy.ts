import type { LightBlockInfo } from "@vedette/api/grpc";
import { ClientError } from "../node/ClientError.js";
import { isUnknownDeploy, type NodeClient } from "../node/NodeClient.js";
import { pause } from "./pause.js";

/** How long to wait, and how often to ask. */
export interface WaitOptions {
  readonly timeoutMs: number;
  readonly pollMs?: number;
  readonly signal?: AbortSignal | undefined;
  /** Hears of the first block that holds the deploy, and of every other that does later. */
  readonly onIncluded?: (block: LightBlockInfo) => void;
}

const defaultPollMs = 1_000;
/** What a node that has not joined says when it is asked for a deploy. @spec 50 §3.5 */
const notRunning = "Error: errorMessage";
// So long a node that restarts may stay away; with the usual pause between two questions it is half a minute.
const mostFailuresInARow = 30;

/**
 * Waits until a block holds a deploy.
 *
 * @spec 50 §8.1
 * @throws {ClientError} `waitedTooLong`, `cancelled`, or what {@link NodeClient} throws
 */
export function waitForDeploy(client: NodeClient, deployId: Uint8Array, options: WaitOptions): Promise<LightBlockInfo> {
  return poll("The deploy was in no block", options, async () => findBlock(client, deployId));
}

/**
 * Waits until a finalized block holds a deploy; when another block takes it up, that one counts.
 *
 * @spec 50 §8.1
 * @throws {ClientError} `waitedTooLong`, `cancelled`, or what {@link NodeClient} throws
 */
export function waitForFinalization(
  client: NodeClient,
  deployId: Uint8Array,
  options: WaitOptions,
): Promise<LightBlockInfo> {
  let known: string | undefined;
  return poll("The deploy was not finalized", options, async () => {
    const block = await findBlock(client, deployId);
    if (block === undefined) return undefined;
    if (block.blockHash !== known) options.onIncluded?.(block);
    known = block.blockHash;
    return (await client.isFinalized(block.blockHash)) ? block : undefined;
  });
}

/** Waits until a block is finalized. @throws {ClientError} `waitedTooLong`, `cancelled`, … */
export async function waitForFinalizedBlock(client: NodeClient, hash: string, options: WaitOptions): Promise<void> {
  await poll("The block was not finalized", options, async () => ((await client.isFinalized(hash)) ? true : undefined));
}

async function findBlock(client: NodeClient, deployId: Uint8Array): Promise<LightBlockInfo | undefined> {
  try {
    return await client.findDeploy(deployId);
  } catch (error) {
    if (isUnknownDeploy(error)) return undefined;
    throw error;
  }
}

async function poll<T>(what: string, options: WaitOptions, ask: () => Promise<T | undefined>): Promise<T> {
  const { timeoutMs, pollMs = defaultPollMs, signal } = options;
  const giveUpMs = performance.now() + timeoutMs;
  let hasAnswered = false;
  let failures = 0;
  for (;;) {
    if (signal?.aborted) throw new ClientError({ code: "cancelled", call: "Waiting" });
    try {
      const found = await ask();
      if (found !== undefined) return found;
      hasAnswered = true;
      failures = 0;
    } catch (error) {
      failures += 1;
      if (!hasAnswered || failures > mostFailuresInARow || !isPassing(error)) throw error;
    }
    const leftMs = giveUpMs - performance.now();
    if (leftMs <= 0) throw new ClientError({ code: "waitedTooLong", what, timeoutMs });
    await pause(Math.min(pollMs, leftMs), signal);
  }
}

/** Whether a node that answered before may be on its way back: it is gone, or has not joined its network yet. */
function isPassing(error: unknown): boolean {
  if (!(error instanceof ClientError)) return false;
  const { failure } = error;
  if (failure.code !== "refused") return failure.code === "unreachable" || failure.code === "timedOut";
  return failure.messages.some((text) => text === notRunning || text.includes("casper instance was not available yet"));
}
