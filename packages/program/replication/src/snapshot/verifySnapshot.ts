import type { BlockFloor } from "@vedette/chain";
import { blake2b256, equalBytes } from "@vedette/crypto";
import { errorText } from "@vedette/errors";
import { type Block, type Dialect, hashKey } from "@vedette/protocol";
import { childrenOf, emptyRoot, isLeafOf, nextBytesOf, RadixNode, type SpaceDialect } from "@vedette/tuplespace";
import { BlockReader, requireBlocks } from "./checkBlocks.js";
import { entriesOf } from "./chunk/chunkFormat.js";
import { type OpenedChunk, readChunks } from "./chunk/readChunks.js";
import { decodeFloors, type SnapshotFloors } from "./floors/SnapshotFloors.js";
import { snapshotFloorsOf } from "./floors/snapshotFloorsOf.js";
import { CheckedHorizon } from "./horizon/CheckedHorizon.js";
import { HorizonReader } from "./horizon/HorizonReader.js";
import { type BlocksAround, horizonBlocks } from "./horizon/horizonBlocks.js";
import { isOfHorizon } from "./horizon/StoredHorizon.js";
import type { Manifest } from "./manifest/Manifest.js";
import type { SnapshotStorage } from "./place/SnapshotStorage.js";
import { checkDialect, noFloors, noHorizon, strayState } from "./restoreSnapshot.js";
import { SnapshotError } from "./SnapshotError.js";

/** The extent of the check. */
export interface VerifiedSnapshot {
  readonly blocks: number;
  readonly nodes: number;
  readonly leaves: number;
  /** States below its own. */
  readonly states: number;
}

/**
 * Checks a whole snapshot: every chunk, block, node and leaf matches its hash, and no part of the state or of the
 * blocks around it is missing. Nothing is written. Takes some hundred bytes of memory for each node and leaf.
 *
 * @throws {SnapshotError} `otherDialect`, `chunkWrong`, `incomplete`, `horizonWrong`, `placeUnusable`; what the signal is aborted with
 */
export async function verifySnapshot(
  place: SnapshotStorage,
  manifest: Manifest,
  {
    dialect,
    form,
    report,
    signal,
  }: {
    readonly dialect: Dialect;
    /** That of the states, by the dialect. */
    readonly form: SpaceDialect;
    readonly report: (stage: string, done: number, total: number) => void;
    readonly signal: AbortSignal;
  },
): Promise<VerifiedSnapshot> {
  checkDialect(manifest, dialect);
  const check = new SnapshotCheck(manifest, { dialect, form, floors: await snapshotFloorsOf(dialect.name) });
  let done = 0;
  for await (const chunk of readChunks(place, manifest.chunks)) {
    check.take(chunk);
    done += 1;
    report("verifying", done, manifest.chunks.length);
    signal.throwIfAborted();
  }
  return check.result();
}

class SnapshotCheck {
  readonly #manifest: Manifest;
  readonly #form: SpaceDialect;
  readonly #floors: SnapshotFloors | undefined;
  #claimed: readonly BlockFloor[] = [];
  readonly #reader: BlockReader;
  readonly #blocks = new Map<string, Block>();
  readonly #nodes = new Set<string>();
  readonly #leaves = new Map<string, number>();
  /** With the first byte of the keys below; that of the root is not there. */
  readonly #wantedNodes = new Map<string, number | undefined>();
  readonly #wantedLeaves = new Map<string, number>();
  #horizon: HorizonReader | undefined;

  constructor(
    manifest: Manifest,
    { dialect, form, floors }: { dialect: Dialect; form: SpaceDialect; floors: SnapshotFloors | undefined },
  ) {
    this.#manifest = manifest;
    this.#form = form;
    this.#floors = floors;
    this.#reader = new BlockReader(manifest, dialect);
  }

  /** @throws {SnapshotError} */
  take(chunk: OpenedChunk): void {
    const { hash } = chunk.facts;
    const isBelow = this.#horizon?.isOpen === true || isOfHorizon(chunk);
    const horizon = isBelow ? this.#requireHorizon(hash) : undefined;
    for (const entry of entriesOf(hash, chunk.bytes)) {
      const { kind, bytes } = entry;
      if (horizon !== undefined) horizon.take(entry);
      else if (kind === "state" || kind === "numbers") {
        throw new SnapshotError({ code: "chunkWrong", hash, reason: strayState });
      } else this.#takeEntry[kind](bytes, hash);
    }
  }

  readonly #takeEntry: Readonly<
    Record<"block" | "floors" | "node" | "leaf", (bytes: Uint8Array, hash: string) => void>
  > = {
    block: (bytes, hash) => this.#block(bytes, hash),
    floors: (bytes, hash) => this.#floorsOf(bytes, hash),
    node: (bytes, hash) => this.#node(bytes, hash),
    leaf: (bytes, hash) => this.#leaf(bytes, hash),
  };

  #block(bytes: Uint8Array, hash: string): void {
    const block = this.#reader.read(hash, bytes);
    // The first block is the one of the snapshot, and has its state.
    const root = block.body.state.postStateHash;
    if (this.#blocks.size === 0 && !equalBytes(root, emptyRoot)) this.#wantedNodes.set(hashKey(root), undefined);
    this.#blocks.set(hashKey(block.hash), block);
  }

  #floorsOf(bytes: Uint8Array, hash: string): void {
    const claimed = this.#floors && decodeFloors(bytes);
    if (claimed === undefined) throw new SnapshotError({ code: "chunkWrong", hash, reason: noFloors });
    this.#claimed = claimed;
  }

  #node(bytes: Uint8Array, hash: string): void {
    const key = hashKey(blake2b256(bytes));
    this.#nodes.add(key);
    let node: RadixNode;
    try {
      node = new RadixNode(bytes);
    } catch (error) {
      throw new SnapshotError({ code: "chunkWrong", hash, reason: `a node: ${errorText(error)}` }, { cause: error });
    }
    const firstByte = this.#wantedNodes.get(key);
    const { nodes, leaves } = childrenOf(node);
    const next = nextBytesOf(node);
    for (const [at, target] of nodes.entries()) this.#wantedNodes.set(hashKey(target), firstByte ?? next.nodes[at]!);
    for (const [at, target] of leaves.entries()) this.#wantedLeaves.set(hashKey(target), firstByte ?? next.leaves[at]!);
  }

  #leaf(bytes: Uint8Array, hash: string): void {
    const key = hashKey(this.#form.leafHash(bytes));
    const firstByte = this.#wantedLeaves.get(key);
    this.#leaves.set(key, firstByte ?? 0);
    if (this.#form.uncoveredKind === undefined) return;
    if (firstByte !== undefined && isLeafOf(this.#form, bytes, firstByte)) return;
    const reason =
      firstByte === undefined ? "a leaf comes before its node" : "a leaf is of another kind than its place";
    throw new SnapshotError({ code: "chunkWrong", hash, reason });
  }

  /** Returns the reader of the data below the state, once the state was read completely. */
  #requireHorizon(hash: string): HorizonReader {
    if (this.#horizon !== undefined) return this.#horizon;
    if (this.#floors === undefined) throw new SnapshotError({ code: "chunkWrong", hash, reason: noHorizon });
    this.#horizon = this.#readerOf(this.#floors, this.#requireState());
    return this.#horizon;
  }

  #readerOf(rules: SnapshotFloors, { block, hashes }: Pick<BlocksAround, "block" | "hashes">): HorizonReader {
    const around = { block, hashes, floors: this.#claimed, find: this.#find };
    const seen = { nodes: this.#nodes, leaves: this.#leaves };
    const taker = new CheckedHorizon(this.#form, seen, block.body.state.postStateHash);
    return new HorizonReader(this.#manifest, horizonBlocks(rules, around), block, taker);
  }

  readonly #find = (hash: Uint8Array) => this.#blocks.get(hashKey(hash));

  #requireState(): Pick<BlocksAround, "block" | "hashes"> {
    const { name } = this.#manifest;
    const found = requireBlocks(this.#manifest, this.#find, (own) =>
      this.#floors?.lowest(own, this.#claimed, this.#find),
    );
    const root = hashKey(found.block.body.state.postStateHash);
    if (root !== hashKey(emptyRoot) && !this.#wantedNodes.has(root)) this.#wantedNodes.set(root, undefined);
    const lacks = (wanted: ReadonlyMap<string, unknown>, there: { has(key: string): boolean }) =>
      [...wanted.keys()].filter((key) => !there.has(key)).length;
    const [nodes, leaves] = [lacks(this.#wantedNodes, this.#nodes), lacks(this.#wantedLeaves, this.#leaves)];
    if (nodes + leaves > 0) {
      const reason = `${nodes} nodes and ${leaves} leaves of the state are not in it`;
      throw new SnapshotError({ code: "incomplete", name, reason });
    }
    return found;
  }

  result(): VerifiedSnapshot {
    const found = this.#requireState();
    const horizon = this.#horizon ?? (this.#floors && this.#readerOf(this.#floors, found));
    horizon?.end();
    const states = this.#manifest.horizon?.states ?? 0;
    return { blocks: this.#blocks.size, nodes: this.#nodes.size, leaves: this.#leaves.size, states };
  }
}
