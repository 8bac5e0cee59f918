import type { Block } from "@vedette/protocol";

/** What queries may ask of the chain. Everything is read from memory or from a finished store entry. */
export interface ChainReads {
  /** Greatest height in the DAG; `undefined` before the first block. */
  maxBlockNumber(): bigint | undefined;
  /** Hashes of the DAG's blocks of this height, invalid ones included. */
  hashesAt(blockNumber: bigint): readonly Uint8Array[];
  /** A stored block, whether or not it is in the DAG. */
  findBlock(hash: Uint8Array): Block | undefined;
  isInDag(hash: Uint8Array): boolean;
  /** First block of the DAG whose hash begins with these hex digits. */
  findByPrefix(hexPrefix: string): Uint8Array | undefined;
  lastFinalized(): Uint8Array | undefined;
  isFinalized(hash: Uint8Array): boolean;
  /** Of a block of the DAG, less the initial fault. @spec 50 §1.7 */
  faultTolerance(hash: Uint8Array): number;
}
