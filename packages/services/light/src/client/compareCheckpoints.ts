import { lightCheckpointRoute } from "@vedette/api";
import { callRoute, HttpConnection } from "@vedette/client";
import { type Checkpoint, readCheckpoint } from "./Checkpoint.js";
import type { LightServerOptions } from "./LightServer.js";

/** Checkpoints of several nodes at one height. */
export interface ComparedCheckpoints {
  readonly checkpoints: readonly { readonly url: string; readonly checkpoint: Checkpoint }[];
  /** Members in which they differ. */
  readonly differing: readonly (keyof Checkpoint)[];
}

/**
 * Requests a checkpoint from nodes, all at a height that each of them has finalized.
 *
 * @param blockNumber default: the newest height that all have
 * @throws {ClientError}
 * @throws {LightError} `form`
 * @spec 70 §10
 */
export async function compareCheckpoints(
  urls: readonly string[],
  blockNumber: bigint | undefined,
  { signal, fetch }: Pick<LightServerOptions, "signal" | "fetch"> = {},
): Promise<ComparedCheckpoints> {
  const ask = async (url: string, number: bigint | undefined) => {
    const http = new HttpConnection({ url, ...(signal && { signal }), ...(fetch && { fetch }) });
    const query = number === undefined ? {} : { blockNumber: number };
    const answer = await callRoute(http, lightCheckpointRoute, { query });
    const { blockNumber: block, timestamp } = answer;
    return {
      url: http.url,
      checkpoint: readCheckpoint({ ...answer, blockNumber: Number(block), timestamp: Number(timestamp) }),
    };
  };
  const all = (number: bigint | undefined) => Promise.all(urls.map((url) => ask(url, number)));
  const newest = await all(blockNumber);
  const least = Math.min(...newest.map(({ checkpoint }) => checkpoint.blockNumber));
  const isLevel = newest.every(({ checkpoint }) => checkpoint.blockNumber === least);
  const checkpoints = isLevel ? newest : await all(BigInt(least));
  const [first] = checkpoints;
  const members = Object.keys(first?.checkpoint ?? {}) as (keyof Checkpoint)[];
  const differing = members.filter((name) =>
    checkpoints.some(({ checkpoint }) => checkpoint[name] !== first!.checkpoint[name]),
  );
  return { checkpoints, differing };
}
