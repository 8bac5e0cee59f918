import { setImmediate as turn } from "node:timers/promises";
import type { DeployLifecycleStatus } from "@vedette/chain";
import { toHex } from "@vedette/crypto";
import { FairQueue, type QueuedRequest } from "../explore/FairQueue.js";
import { mapToApiError } from "../mapToApiError.js";
import type { AccountQueries, DeployHistory } from "./AccountQueries.js";

const queue = { running: 1, ofOneClient: 8, waiting: 64, longestWaitMs: 10_000 } as const;

/**
 * Finds the outcomes of many deploys at once. For each a block may have to be read, so one request is answered at a
 * time, of each client in turn, and all other work has its turn after each deploy.
 *
 * @spec 50 §1.13
 */
export class DeployStatuses {
  readonly #accounts: Pick<AccountQueries, "forMany">;
  readonly #gate = new FairQueue(queue);

  constructor(accounts: Pick<AccountQueries, "forMany">) {
    this.#accounts = accounts;
  }

  /**
   * @param visitor the client, by its address
   * @returns a status for each, in the same order; `undefined` for one that is not known
   * @throws {Overload}
   */
  async find(
    signatures: readonly Uint8Array[],
    visitor: QueuedRequest,
  ): Promise<(DeployLifecycleStatus | undefined)[]> {
    return (await this.histories(signatures, visitor)).map((history) => history?.status);
  }

  /** As {@link find}, with the deploys and their blocks. @throws {Overload} */
  async histories(signatures: readonly Uint8Array[], visitor: QueuedRequest): Promise<(DeployHistory | undefined)[]> {
    return mapToApiError(this.#gate.run(visitor, () => this.#each(signatures, visitor.signal)));
  }

  async #each(signatures: readonly Uint8Array[], signal: AbortSignal | undefined) {
    const accounts = this.#accounts.forMany();
    const known = new Map<string, DeployHistory | undefined>();
    const histories: (DeployHistory | undefined)[] = [];
    for (const signature of signatures) {
      const key = toHex(signature);
      // After the client has left, nothing more is looked up.
      if (!known.has(key) && signal?.aborted !== true) {
        known.set(key, accounts.deploy(signature));
        await turn();
      }
      histories.push(known.get(key));
    }
    return histories;
  }
}
