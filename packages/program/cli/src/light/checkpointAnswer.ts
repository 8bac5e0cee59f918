import { compareCheckpoints } from "@vedette/light";
import type { CommandAnswer } from "../client/CommandAnswer.js";
import { exitCodes } from "../exitCodes.js";
import { readCheckpointFile } from "./readCheckpointFile.js";
import { releasedCheckpoints } from "./releasedCheckpoints.js";

/** `vedette checkpoint --list`: the networks of which this release carries a checkpoint. */
export function listCheckpoints(): CommandAnswer {
  const checkpoints = [...releasedCheckpoints().keys()].map((name) => ({ name, ...readCheckpointFile(name) }));
  const lines = checkpoints.map(({ name, blockNumber, blockHash }) => `${name}: block ${blockNumber} (${blockHash})`);
  return { text: lines.join("\n") || "This release carries no checkpoint.", json: { checkpoints } };
}

const usualNode = "http://localhost:40403";

/** `vedette checkpoint`: the checkpoint of the nodes, where all agree on it. @spec 70 §10 */
export async function checkpoint(
  urls: readonly string[],
  blockNumber: number | bigint | undefined,
  signal: AbortSignal,
): Promise<CommandAnswer> {
  const number = blockNumber === undefined ? undefined : BigInt(blockNumber);
  const { checkpoints, differing } = await compareCheckpoints(urls.length === 0 ? [usualNode] : urls, number, {
    signal,
  });
  const [{ checkpoint: first }] = checkpoints as [(typeof checkpoints)[number]];
  if (differing.length === 0) return { text: JSON.stringify(first, undefined, 2), json: { ...first } };
  const lines = checkpoints.map(
    ({ url, checkpoint: one }) => `  ${url}: ${differing.map((name) => `${name} ${one[name]}`).join(", ")}`,
  );
  return {
    text: `The nodes differ in ${differing.join(", ")} at height ${first.blockNumber}; do not trust a checkpoint before you know why:\n${lines.join("\n")}`,
    json: { differing: [...differing], checkpoints: checkpoints.map(({ url, checkpoint: one }) => ({ url, ...one })) },
    exitCode: exitCodes.failure,
  };
}
