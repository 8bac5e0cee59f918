import type { BlockFloor, InitialLatestMessage } from "@vedette/chain";
import { concatBytes } from "@vedette/crypto";
import type { Block } from "@vedette/protocol";
import type { Store } from "@vedette/store";
import type { ImportedBlock } from "@vedette/sync";
import type { SpaceDialect } from "@vedette/tuplespace";
import type { SnapshotSource } from "../SnapshotSource.js";

/** A state that a snapshot is of, and how it is read. */
export interface SnapshotState {
  readonly store: Store;
  readonly form: SpaceDialect;
}

/** The changes that the deploys of blocks made to number channels. @spec 61 §12.2, §16.4 */
export interface NumberEntries {
  /** As other nodes get it; `undefined` where it is not known. */
  find(block: Block): Uint8Array | undefined;
  /**
   * Stores a claim about a block with existing states.
   *
   * @returns its fault, or nothing
   */
  take(block: Block, entry: Uint8Array): string | undefined;
}

/** The data that a node of an f1r3node network begins with, beside a state and the blocks around it. @spec 61 §16.4 */
export interface SnapshotFloors {
  readonly firstMessage: InitialLatestMessage;
  /**
   * Returns the lowest height of the blocks that go with a block.
   *
   * @param floors that a snapshot claims; only the block's own is used
   */
  lowest(block: Block, floors: readonly BlockFloor[], find: (hash: Uint8Array) => Block | undefined): bigint;
  /**
   * Returns the lowest height of the states, and of the changes of number channels, that go with a block.
   *
   * @param floors that a snapshot claims; only the block's own is used
   */
  horizon(block: Block, floors: readonly BlockFloor[], find: (hash: Uint8Array) => Block | undefined): bigint;
  /** The changes that the deploys of blocks made to number channels, beside these states. */
  numbers(state: SnapshotState): NumberEntries;
  /** Returns the floors of these blocks that are known here or follow from what is here. */
  collect(source: SnapshotSource, block: Block, hashes: readonly Uint8Array[]): readonly BlockFloor[];
  /**
   * Checks claimed floors against the blocks themselves.
   *
   * @param others the blocks that are entered beside the block
   * @returns the floors to begin with; or a block with a wrong claimed floor
   */
  check(claimed: ClaimedFloors): { readonly floors: readonly BlockFloor[] } | { readonly wrong: Uint8Array };
}

/** Floors that a snapshot claims, with the blocks that they are of. */
export interface ClaimedFloors {
  readonly block: Block;
  readonly others: readonly ImportedBlock[];
  readonly floors: readonly BlockFloor[];
  readonly find: (hash: Uint8Array) => Block | undefined;
  readonly state: SnapshotState;
}

const hashBytes = 32;
const floorBytes = 3 * hashBytes;

/** Encodes floors as an entry of a snapshot: block, floor and frontier of each. That of genesis is implied. */
export function encodeFloors(floors: readonly BlockFloor[]): Uint8Array {
  return concatBytes(
    ...floors.flatMap(({ hash, floor, frontier }) => (frontier === undefined ? [] : [hash, floor, frontier])),
  );
}

/** @returns `undefined` for another kind of entry */
export function decodeFloors(bytes: Uint8Array): BlockFloor[] | undefined {
  if (bytes.length % floorBytes !== 0) return undefined;
  const part = (at: number) => bytes.slice(at, at + hashBytes);
  return Array.from({ length: bytes.length / floorBytes }, (_, index) => {
    const at = index * floorBytes;
    return { hash: part(at), floor: part(at + hashBytes), frontier: part(at + 2 * hashBytes) };
  });
}
