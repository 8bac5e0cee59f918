import { type BlockMetadata, type DagView, heaviestTip, isEntitled } from "@vedette/chain";
import { hashKey } from "@vedette/protocol";

/**
 * The block that the network builds on, as far as this node knows: from the last finalized block up, at every fork the
 * side with most of the stake behind it.
 *
 * If several blocks are side by side it is one of them; the next block's merge is not computed for a read.
 *
 * @spec 40 §9.2, 30 §10.4
 */
export class MainTip {
  readonly #dag: DagView;
  #seen = "";
  #tip: BlockMetadata | undefined;

  constructor(dag: DagView) {
    this.#dag = dag;
  }

  /**
   * @returns `undefined` before the chain has begun
   * @cost validators times the blocks above the last finalized one, once for each change
   */
  find(): BlockMetadata | undefined {
    const last = this.#dag.lastFinalized();
    if (last === undefined) return undefined;
    const messages = this.#dag.latestMessages();
    const seen = [last.key, ...messages.map(({ hash }) => hashKey(hash))].join();
    if (seen !== this.#seen) {
      const entitled = messages.filter((message) => isEntitled(this.#dag, message));
      // The tip of no particular validator and of no particular time.
      this.#tip = heaviestTip(this.#dag, last, entitled, { validatorKey: "", nowMs: 0 });
      this.#seen = seen;
    }
    return this.#tip;
  }
}
