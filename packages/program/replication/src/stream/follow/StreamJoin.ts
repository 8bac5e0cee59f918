import { type BlockMetadata, blocksSince, type DagView } from "@vedette/chain";
import { fromHex, toHex } from "@vedette/crypto";
import { StreamError } from "../StreamError.js";
import type { StreamPosition } from "./StreamPosition.js";

/**
 * Whether a stream is of the chain that is here. Another chain may have the same network id, and one that is lower than
 * this one gives nothing that would have to be taken: its messages all lie before what is here.
 */
export class StreamJoin {
  readonly #dag: DagView;
  #stream: string | undefined;
  #lastFinal: BlockMetadata | undefined;

  constructor(dag: DagView) {
    this.#dag = dag;
  }

  /** A stream is read. @param place how far it was read before */
  follow(stream: string, place: StreamPosition | undefined): void {
    this.#stream = place?.stream === stream && place.isJoined === true ? stream : undefined;
    this.#lastFinal = this.#dag.lastFinalized() ?? this.#dag.approvedBlock();
  }

  /** The chain begins with a stream's first block. */
  begin(stream: string): void {
    this.#stream = stream;
  }

  isJoined(stream: string): boolean {
    return this.#stream === stream;
  }

  /**
   * A stream has a block. One that is here and not below what was final when reading began shows that the stream is of
   * this chain; all that lies below may belong to several chains.
   */
  see(stream: string, hash: string): void {
    if (this.#stream === stream) return;
    const found = this.#dag.find(fromHex(hash));
    if (found === undefined || found.invalid || found.number < (this.#lastFinal?.number ?? 0n)) return;
    this.#stream = stream;
  }

  /** The last final block when reading began: a stream of this chain comes to it. `undefined` where nothing is here. */
  get wanted(): { readonly hash: string; readonly number: number } | undefined {
    const block = this.#lastFinal;
    return block && { hash: toHex(block.hash), number: Number(block.number) };
  }

  /** A chain has one genesis. @throws {StreamError} `otherChain` */
  requireOwnGenesis(hash: string): void {
    for (const own of this.#dag.blocksByHeight(0n, 0n, 1)) {
      const expected = toHex(own.hash);
      if (expected !== hash) throw new StreamError({ code: "otherChain", number: 0, found: hash, expected });
    }
  }

  /**
   * A block became the last final one and is not final here: then what is final here is not as high.
   *
   * @throws {StreamError} `otherChain`
   */
  requireUndecided({ hash, number }: { readonly hash: string; readonly number: number }): void {
    const height = BigInt(number);
    const last = this.#dag.lastFinalized();
    if (last === undefined || height > last.number || height < blocksSince(this.#dag)) return;
    for (const own of this.#dag.blocksByHeight(height, height))
      if (this.#dag.require(own.hash).finalized)
        throw new StreamError({ code: "otherChain", number, found: hash, expected: toHex(own.hash) });
  }
}
