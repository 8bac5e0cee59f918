import { setTimeout as sleep } from "node:timers/promises";
import type { F1r3nodeMoment } from "@vedette/api";
import { toHex, vaultAddressOfPublicKey } from "@vedette/crypto";
import type { Block } from "@vedette/protocol";
import { NotReportedError } from "./requireReported.js";
import type { BlockTransfer, TransferPort } from "./TransferPort.js";

/** Most final blocks that wait for their transfers; those beyond are left out. */
const maxWaiting = 100;
/** Before each further look, where readers do not see yet what a block did. */
const pausesMs = [50, 100, 200, 400, 800, 1_600, 3_200, 6_400] as const;

/** Waits; ends early with an error when the signal aborts. */
type Pause = (ms: number, signal: AbortSignal) => Promise<unknown>;

/**
 * Reports what the deploys of final blocks moved out of their deployers' vaults, one block after the other.
 *
 * @spec 50 §10.6
 */
export class FinalTransfers {
  readonly #port: TransferPort;
  readonly #emit: (moment: F1r3nodeMoment) => void;
  readonly #pause: Pause;
  readonly #ended = new AbortController();
  #last: Promise<void> = Promise.resolve();
  #waiting = 0;

  constructor(port: TransferPort, emit: (moment: F1r3nodeMoment) => void, pause: Pause = systemPause) {
    this.#port = port;
    this.#emit = emit;
    this.#pause = pause;
  }

  onFinal(block: Block): void {
    if (block.body.deploys.length === 0 || this.#waiting === maxWaiting) return;
    this.#waiting += 1;
    this.#last = this.#last.then(async () => {
      // As with rnode, followers of block events are not notified why transfers are missing.
      await this.#look(block).catch(() => undefined);
      this.#waiting -= 1;
    });
  }

  async close(): Promise<void> {
    this.#ended.abort();
    await this.#last;
  }

  async #look(block: Block): Promise<void> {
    const { signal } = this.#ended;
    if (signal.aborted) return;
    const moved = await this.#moved(block, signal);
    const deploys = block.body.deploys.map(({ deploy }) => ({
      id: toHex(deploy.signature),
      own: vaultAddressOfPublicKey(deploy.deployer),
      transfers: [] as BlockTransfer[],
    }));
    const byId = new Map(deploys.map((deploy) => [deploy.id, deploy]));
    for (const transfer of moved) {
      const deploy = byId.get(toHex(transfer.deployId));
      if (deploy?.own === transfer.from) deploy.transfers.push(transfer);
    }
    const moving = deploys.filter(({ transfers }) => transfers.length > 0);
    if (moving.length === 0) return;
    const place = { blockHash: toHex(block.hash), blockNumber: block.number };
    this.#emit({ event: "transfers-available", ...place, deploys: moving });
  }

  /** A block becomes final before readers see all its effects: unknown ones are requested again. */
  async #moved(block: Block, signal: AbortSignal): Promise<readonly BlockTransfer[]> {
    for (const ms of pausesMs) {
      try {
        return await this.#port.transfersOf(block, signal);
      } catch (error) {
        if (!(error instanceof NotReportedError && error.failure.code === "notYet")) throw error;
      }
      await this.#pause(ms, signal);
    }
    return this.#port.transfersOf(block, signal);
  }
}

const systemPause: Pause = (ms, signal) => sleep(ms, undefined, { signal, ref: false });
