import type { BlockMetadata, DagView } from "@vedette/chain";
import { toHex } from "@vedette/crypto";
import { ApiError } from "../ApiError.js";
import type { BlockQueries } from "./BlockQueries.js";
import { drawDag, verifiableLines } from "./drawDag.js";
import { mainChain, tipOf } from "./mainChain.js";

/** Which part of the DAG is to be drawn. */
export interface DrawRequest {
  /** Heights below the start; 0 and less for the maximum of one request. */
  readonly depth: number;
  /** 0 for the top. */
  readonly startBlockNumber: number;
  readonly showsJustifications: boolean;
}

/** A limit of Vedette: rnode draws any requested number. */
const maxDrawnHeights = 10_000;

/** Answers about the shape of the DAG. @spec 50 §3.4, §3.6 */
export class DagQueries {
  readonly #dag: DagView;
  readonly #blocks: BlockQueries;
  readonly #maxBlocks: number;

  /** @param maxBlocks `api-server.max-blocks-limit` */
  constructor(dag: DagView, blocks: BlockQueries, maxBlocks: number) {
    this.#dag = dag;
    this.#blocks = blocks;
    this.#maxBlocks = maxBlocks;
  }

  /** The newest block and its main parents. @throws {ApiError} @spec 50 §3.4 */
  mainChain(depth: number): BlockMetadata[] {
    const most = this.#blocks.checkDepth("", depth);
    const tip = tipOf(this.#dag);
    if (tip === undefined) throw new ApiError("Could not visualize graph, casper instance was not available yet.");
    return mainChain(this.#dag, tip, most);
  }

  /** The DAG as lines of a Graphviz text. @throws {ApiError} @spec 50 §3.4, §3.6 */
  draw({ depth, startBlockNumber, showsJustifications }: DrawRequest): string[] {
    const top = this.#dag.nextBlockNumber();
    if (top === 0n) throw new ApiError("Error: visual dag failed");
    const start = startBlockNumber === 0 ? top : BigInt(startBlockNumber);
    const heights = depth <= 0 ? this.#maxBlocks : Math.min(depth, maxDrawnHeights);
    const lowest = start - BigInt(heights);
    if (start < 0n || lowest > top)
      throw new ApiError("coop.rchain.blockstorage.TopoSortFragmentParameterError", { kind: "nameless" });
    const blocks = this.#blocks.between(lowest, start);
    return drawDag({ blocks, lastFinalized: this.#dag.lastFinalized()?.hash, showsJustifications });
  }

  /** Edges from blocks to their parents, the highest first, a line each. @throws {ApiError} @spec 50 §3.4 */
  verifiableText(): string {
    const top = this.#dag.nextBlockNumber();
    if (top === 0n) throw new ApiError("Could not visualize graph, casper instance was not available yet.");
    return verifiableLines(this.#blocks.between(top - BigInt(this.#maxBlocks), top), toHex).join("\n");
  }
}
