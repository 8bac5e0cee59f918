import type { BlockFloor, InitialLatestMessage } from "@vedette/chain";
import { concatBytes } from "@vedette/crypto";
import type { Block } from "@vedette/protocol";
import type { Store } from "@vedette/store";
import type { ImportedBlock } from "@vedette/sync";
import type { SpaceDialect } from "@vedette/tuplespace";
import type { SnapshotSource } from "../SnapshotSource.js";

/** A state that a snapshot is of, and how it is read. */
export interface FloorState {
  readonly store: Store;
  readonly form: SpaceDialect;
}

/** What the deploys of blocks did to number channels. @spec 61 §12.2, §16.4 */
export interface NumberEntries {
  /** As other nodes get it; `undefined` where it is not known. */
  find(block: Block): Uint8Array | undefined;
  /**
   * Keeps what somebody says of a block whose states are there.
   *
   * @returns what is wrong with it, or nothing
   */
  take(block: Block, entry: Uint8Array): string | undefined;
}

/** What a node of an f1r3node network begins with beside a state and the blocks around it. @spec 61 §16.4 */
export interface SnapshotFloors {
  readonly firstMessage: InitialLatestMessage;
  /**
   * The height down to which blocks go with one.
   *
   * @param floors that were told; nothing is asked of them but the block's own
   */
  lowest(block: Block, floors: readonly BlockFloor[], find: (hash: Uint8Array) => Block | undefined): bigint;
  /**
   * The height from which on states, and what was done to number channels, go with one.
   *
   * @param floors that were told; nothing is asked of them but the block's own
   */
  horizon(block: Block, floors: readonly BlockFloor[], find: (hash: Uint8Array) => Block | undefined): bigint;
  /** What the deploys of blocks did to number channels, beside these states. */
  numbers(state: FloorState): NumberEntries;
  /** The floors of these blocks, as far as they are known or follow from what is here. */
  tell(source: SnapshotSource, block: Block, hashes: readonly Uint8Array[]): readonly BlockFloor[];
  /**
   * Holds what was told of floors against the blocks themselves.
   *
   * @param others as they are entered beside the block
   * @returns those to begin with; or a block of which something wrong was told
   */
  check(told: ClaimedFloors): { readonly floors: readonly BlockFloor[] } | { readonly wrong: Uint8Array };
}

/** What was told, of which blocks. */
export interface ClaimedFloors {
  readonly block: Block;
  readonly others: readonly ImportedBlock[];
  readonly floors: readonly BlockFloor[];
  readonly find: (hash: Uint8Array) => Block | undefined;
  readonly state: FloorState;
}

const hashBytes = 32;
const floorBytes = 3 * hashBytes;

/** As an entry of a snapshot: block, floor and frontier of each. That of genesis goes without saying. */
export function encodeFloors(floors: readonly BlockFloor[]): Uint8Array {
  return concatBytes(
    ...floors.flatMap(({ hash, floor, frontier }) => (frontier === undefined ? [] : [hash, floor, frontier])),
  );
}

/** @returns `undefined` for what is no such entry */
export function decodeFloors(bytes: Uint8Array): BlockFloor[] | undefined {
  if (bytes.length % floorBytes !== 0) return undefined;
  const part = (at: number) => bytes.slice(at, at + hashBytes);
  return Array.from({ length: bytes.length / floorBytes }, (_, index) => {
    const at = index * floorBytes;
    return { hash: part(at), floor: part(at + hashBytes), frontier: part(at + 2 * hashBytes) };
  });
}
