import type { BlockMetadata, DagView } from "@vedette/chain";
import { fromHex, toHex } from "@vedette/crypto";
import { findPath, maxPathBlocks, maxPathBytes } from "@vedette/light";
import type { BlockQueries } from "../block/BlockQueries.js";
import type { FairScheduler, ScheduledRequest } from "../explore/FairScheduler.js";
import { StateQueryError } from "../state/StateQueryError.js";

/** A request for a path: with the block at its end, or a height of the main chain. Hashes are hexadecimal digits. */
export interface PathQuestion {
  readonly from: string;
  readonly to?: string | undefined;
  readonly number?: bigint | undefined;
}

/** The client of a request. */
export type Asking = Pick<ScheduledRequest, "client" | "signal">;

/** The sources of paths. */
export interface PathReads {
  readonly dag: DagView;
  readonly blocks: BlockQueries;
  readonly turns: FairScheduler;
}

/** Blocks that have one deploy that are looked at. */
const maxBlocksOfDeploy = 64;

/** Whole blocks for light clients, with those that lead down to them from a block that they have verified. @spec 70 §9 */
export class LightPaths {
  readonly #reads: PathReads;

  constructor(reads: PathReads) {
    this.#reads = reads;
  }

  /** @returns the bytes of the blocks, `from` first @throws {StateQueryError} */
  path({ from, to, number }: PathQuestion, asking: Asking): Promise<readonly Uint8Array[]> {
    if ((to === undefined) === (number === undefined))
      throw badRequest("to", "or query.number must be given, and not both");
    const top = this.#require(from, "from");
    const end = to === undefined ? undefined : this.#require(to, "to");
    const field = end === undefined ? "number" : "to";
    if (end !== undefined && end.number > top.number) throw badRequest(field, "is above query.from");
    const isEnd = (block: BlockMetadata) => (end === undefined ? block.number <= number! : block.key === end.key);
    const search = { isEnd, lowest: end?.number ?? 0n, isMain: end === undefined };
    return this.#inTurn(asking, async () => {
      const path = findPath(this.#reads.dag, top, search);
      if (path === undefined) throw badRequest(field, `is not within ${maxPathBlocks} blocks below query.from`);
      return this.#bytesOfAll(path);
    });
  }

  /** @returns the bytes of the blocks, that of the deploy last @throws {StateQueryError} */
  deploy(id: string, from: string, asking: Asking): Promise<readonly Uint8Array[]> {
    const { dag } = this.#reads;
    const top = this.#require(from, "from");
    const found = dag
      .blocksOfDeploy(fromHex(id))
      .slice(-maxBlocksOfDeploy)
      .flatMap((hash) => dag.find(hash) ?? [])
      .filter(({ invalid, number }) => !invalid && number <= top.number);
    const lowest = found.reduce((least, { number }) => (number < least ? number : least), top.number);
    const keys = new Set(found.map(({ key }) => key));
    const isEnd = ({ key }: BlockMetadata) => keys.has(key);
    return this.#inTurn(asking, async () => {
      // Along main parents fewer merges lie in between, which leave open what became of the deploy.
      const main = findPath(dag, top, { isEnd, lowest, isMain: true });
      const path = main ?? findPath(dag, top, { isEnd, lowest, isMain: false });
      if (path === undefined)
        throw new StateQueryError({ code: "unknownBlock", field: "id", hash: `with deploy ${id}` });
      return this.#bytesOfAll(path);
    });
  }

  #inTurn<T>(asking: Asking, work: () => Promise<T>): Promise<T> {
    return this.#reads.turns.take({ ...asking, bytes: 256 }, work);
  }

  #require(hash: string, field: string): BlockMetadata {
    const { dag } = this.#reads;
    if (dag.lastFinalized() === undefined) throw new StateQueryError({ code: "notRunning" });
    const block = dag.find(fromHex(hash));
    if (block === undefined) throw new StateQueryError({ code: "unknownBlock", field, hash });
    return block;
  }

  #bytesOfAll(path: readonly BlockMetadata[]): readonly Uint8Array[] {
    const bytes = path.reduce((sum, block) => sum + this.#reads.blocks.lengthOf(block), 0);
    if (bytes > maxPathBytes) throw badRequest("from", `is above blocks of more than ${maxPathBytes} bytes`);
    return path.map((block) => this.#bytesOf(block));
  }

  #bytesOf(block: BlockMetadata): Uint8Array {
    if (this.#reads.blocks.lengthOf(block) === 0)
      throw new StateQueryError({ code: "unknownBlock", field: "hash", hash: toHex(block.hash) });
    return this.#reads.blocks.bytesOf(block);
  }
}

function badRequest(field: string, problem: string): StateQueryError {
  return new StateQueryError({ code: "badRequest", field, problem });
}
