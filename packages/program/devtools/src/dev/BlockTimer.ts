import { errorText } from "@vedette/errors";
import type { DevChain } from "./DevChain.js";
import { DevDeploys } from "./DevDeploys.js";

/** Has a block made at every beat of the chain's rhythm, with the waiting deploys or with a filler deploy. */
export class BlockTimer implements Disposable {
  readonly #timer: NodeJS.Timeout | undefined;
  #isMaking = false;

  /** @param failed receives the reason why no block was made */
  constructor(chain: DevChain, failed: (reason: string) => void) {
    const { blockTimeMs } = chain.plan.settings;
    if (blockTimeMs === undefined) return;
    const deploys = new DevDeploys(chain);
    const make = async () => {
      const { pool, queue } = chain.inside.proposing;
      const result = pool.size > 0 ? await queue.proposeNow() : undefined;
      // The waiting deploys may be for a later block.
      if (result?.status !== "Success" && !queue.isBusy) await deploys.mine(1);
    };
    this.#timer = setInterval(() => {
      if (this.#isMaking) return;
      this.#isMaking = true;
      void make()
        .catch((error: unknown) => failed(`No block: ${errorText(error)}`))
        .finally(() => (this.#isMaking = false));
    }, blockTimeMs);
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }
}
