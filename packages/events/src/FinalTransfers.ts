import type { NewerMoment } from "@vedette/api";
import { toHex, vaultAddressOfPublicKey } from "@vedette/crypto";
import type { Block } from "@vedette/protocol";
import type { BlockTransfer, TransferPort } from "./TransferPort.js";

/** Final blocks whose transfers are looked for; what comes while so many wait is not told. */
const mostWaiting = 100;

/**
 * Tells what the deploys of final blocks moved out of their deployers' vaults, one block after the other.
 *
 * @spec 50 §10.6
 */
export class FinalTransfers {
  readonly #port: TransferPort;
  readonly #tell: (moment: NewerMoment) => void;
  readonly #ended = new AbortController();
  #last: Promise<void> = Promise.resolve();
  #waiting = 0;

  constructor(port: TransferPort, tell: (moment: NewerMoment) => void) {
    this.#port = port;
    this.#tell = tell;
  }

  onFinal(block: Block): void {
    if (block.body.deploys.length === 0 || this.#waiting === mostWaiting) return;
    this.#waiting += 1;
    this.#last = this.#last.then(async () => {
      // Who follows the events of blocks is not told why it is not known: as with the reference.
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
    const moved = await this.#port.transfersOf(block, signal);
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
    const told = deploys.filter(({ transfers }) => transfers.length > 0);
    if (told.length === 0) return;
    const place = { blockHash: toHex(block.hash), blockNumber: block.number };
    this.#tell({ event: "transfers-available", ...place, deploys: told });
  }
}
