import type { SyncEvent, SyncStatus } from "@vedette/sync";

/** Heights, or blocks, that a node has yet to judge: from here on it is better to judge many than to tell of each. */
const far = 64n;
/** What was heard longer ago may have been made up. */
const heardMs = 600_000;

/**
 * Whether a node has far more blocks to judge than it follows one by one. Peers may say what they like: whoever believes
 * them wrongly brings blocks to disk together, and no more.
 */
export class FarBehind {
  readonly #nowMs: () => number;
  #highest: { readonly number: bigint; readonly atMs: number } | undefined;

  /** @param nowMs monotonic */
  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  onSyncEvent(event: SyncEvent): void {
    if (event.type !== "blockProcessingStarted") return;
    const { number } = event.block;
    const atMs = this.#nowMs();
    const isOld = this.#highest === undefined || atMs - this.#highest.atMs > heardMs;
    if (isOld || number >= this.#highest!.number) this.#highest = { number, atMs };
  }

  /** @param status of the synchronization */
  isIn({ state, height, bestHeight, waitingBlocks }: SyncStatus): boolean {
    if (state !== "running" || height === undefined) return false;
    if (BigInt(waitingBlocks) >= far || (bestHeight ?? height) - height >= far) return true;
    const highest = this.#highest;
    return highest !== undefined && this.#nowMs() - highest.atMs <= heardMs && highest.number - height >= far;
  }
}
