import { setTimeout as sleep } from "node:timers/promises";
import type { BlockPacking } from "@vedette/chain";

/** Between two looks for old blocks, where there were not enough of them. */
const pauseMs = 5_000;
/** After a failure, such as a full disk. */
const longPauseMs = 60_000;

/**
 * Packs old blocks until the signal. It goes on by itself as fast as the chain grows, a pack at a time.
 *
 * @param failed receives what kept a pack from being written, once until one is
 */
export async function packBlocks(
  packing: Pick<BlockPacking, "step">,
  failed: (error: unknown) => void,
  signal: AbortSignal,
): Promise<void> {
  let isReported = false;
  while (!signal.aborted) {
    let waitMs = 0;
    try {
      if ((await packing.step()) === 0) waitMs = pauseMs;
      isReported = false;
    } catch (error) {
      if (signal.aborted) return;
      if (!isReported) failed(error);
      isReported = true;
      waitMs = longPauseMs;
    }
    await sleep(waitMs, undefined, { signal, ref: false }).catch(() => {});
  }
}
