import { Dag } from "@vedette/chain";
import { equalBytes, toHex } from "@vedette/crypto";
import type { OfflineData } from "../db/OfflineData.js";

const lastFinalizedKey = Uint8Array.of(0);

/** The final blocks of a data directory with a node that may be running. */
export class FinalBlocks {
  readonly #data: Pick<OfflineData, "chain" | "dag">;
  #dag: Dag;

  constructor(data: Pick<OfflineData, "chain" | "dag">) {
    [this.#data, this.#dag] = [data, data.dag];
  }

  /** Lets them be seen as they are now. */
  refresh(): void {
    const { chain } = this.#data;
    chain.refresh();
    const last = chain.table("lastFinalized").get(lastFinalizedKey);
    const known = this.#dag.lastFinalized()?.hash;
    if (last !== undefined && (known === undefined || !equalBytes(last, known))) this.#dag = new Dag(chain);
  }

  /** The lowest height that has blocks, and that of the last finalized block. */
  bounds(): { readonly from: number; readonly finalized: number } | undefined {
    const finalized = this.#dag.lastFinalized()?.number;
    if (finalized === undefined) return undefined;
    const lowest = [...this.#dag.blocksByHeight(0n, finalized, 1)][0]?.height ?? finalized;
    return { from: Number(lowest), finalized: Number(finalized) };
  }

  /** Hashes of those from one height to another, both included, from below, in lower-case hex. */
  blocks(from: number, to: number): readonly string[] {
    const found: string[] = [];
    for (const { hash } of this.#dag.blocksByHeight(BigInt(from), BigInt(to)))
      if (this.#dag.require(hash).finalized) found.push(toHex(hash));
    return found;
  }
}
