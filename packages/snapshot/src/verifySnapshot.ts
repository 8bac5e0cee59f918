import { blake2b256, equalBytes } from "@vedette/crypto";
import { errorText } from "@vedette/errors";
import { type Block, type Dialect, hashKey } from "@vedette/protocol";
import { childrenOf, emptyRoot, isLeafOf, nextBytesOf, RadixNode, type SpaceForm } from "@vedette/tuplespace";
import { BlockReader, requireBlocks } from "./checkBlocks.js";
import { entriesOf } from "./chunk/chunkFormat.js";
import { readChunks } from "./chunk/readChunks.js";
import type { Manifest } from "./manifest/Manifest.js";
import type { SnapshotPlace } from "./place/SnapshotPlace.js";
import { checkDialect } from "./restoreSnapshot.js";
import { SnapshotError } from "./SnapshotError.js";

/** What was looked at. */
export interface VerifiedSnapshot {
  readonly blocks: number;
  readonly nodes: number;
  readonly leaves: number;
}

/**
 * Reads a whole snapshot: every chunk, block, node and leaf is what its hash says, and nothing of the state or of the
 * blocks around it is missing. Nothing is written. Takes some hundred bytes of memory for each node and leaf.
 *
 * @throws {SnapshotError} `otherDialect`, `chunkWrong`, `incomplete`, `placeUnusable`; what the signal is aborted with
 */
export async function verifySnapshot(
  place: SnapshotPlace,
  manifest: Manifest,
  {
    dialect,
    form,
    tell,
    signal,
  }: {
    readonly dialect: Dialect;
    /** That of the states, by the dialect. */
    readonly form: SpaceForm;
    readonly tell: (stage: string, done: number, total: number) => void;
    readonly signal: AbortSignal;
  },
): Promise<VerifiedSnapshot> {
  checkDialect(manifest, dialect);
  const check = new SnapshotCheck(manifest, dialect, form);
  let done = 0;
  for await (const { facts, bytes } of readChunks(place, manifest.chunks)) {
    for (const { kind, bytes: value } of entriesOf(facts.hash, bytes)) check[kind](value, facts.hash);
    done += 1;
    tell("verifying", done, manifest.chunks.length);
    signal.throwIfAborted();
  }
  return check.result();
}

class SnapshotCheck {
  readonly #manifest: Manifest;
  readonly #form: SpaceForm;
  readonly #reader: BlockReader;
  readonly #blocks = new Map<string, Block>();
  readonly #nodes = new Set<string>();
  readonly #leaves = new Set<string>();
  /** With the first byte of the keys below; that of the root is not there. */
  readonly #wantedNodes = new Map<string, number | undefined>();
  readonly #wantedLeaves = new Map<string, number>();

  constructor(manifest: Manifest, dialect: Dialect, form: SpaceForm) {
    this.#manifest = manifest;
    this.#form = form;
    this.#reader = new BlockReader(manifest, dialect);
  }

  block(bytes: Uint8Array, hash: string): void {
    const block = this.#reader.read(hash, bytes);
    // The first one is that whose state it is.
    const root = block.body.state.postStateHash;
    if (this.#blocks.size === 0 && !equalBytes(root, emptyRoot)) this.#wantedNodes.set(hashKey(root), undefined);
    this.#blocks.set(hashKey(block.hash), block);
  }

  node(bytes: Uint8Array, hash: string): void {
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

  leaf(bytes: Uint8Array, hash: string): void {
    const key = hashKey(this.#form.leafHash(bytes));
    this.#leaves.add(key);
    if (this.#form.uncoveredKind === undefined) return;
    const firstByte = this.#wantedLeaves.get(key);
    if (firstByte !== undefined && isLeafOf(this.#form, bytes, firstByte)) return;
    const reason =
      firstByte === undefined ? "a leaf comes before its node" : "a leaf is of another kind than its place";
    throw new SnapshotError({ code: "chunkWrong", hash, reason });
  }

  result(): VerifiedSnapshot {
    const { name } = this.#manifest;
    const { block } = requireBlocks(this.#manifest, (hash) => this.#blocks.get(hashKey(hash)));
    const root = hashKey(block.body.state.postStateHash);
    if (root !== hashKey(emptyRoot) && !this.#wantedNodes.has(root)) this.#wantedNodes.set(root, undefined);
    const lacks = (wanted: ReadonlyMap<string, unknown>, there: ReadonlySet<string>) =>
      [...wanted.keys()].filter((key) => !there.has(key)).length;
    const [nodes, leaves] = [lacks(this.#wantedNodes, this.#nodes), lacks(this.#wantedLeaves, this.#leaves)];
    if (nodes + leaves > 0) {
      const reason = `${nodes} nodes and ${leaves} leaves of the state are not in it`;
      throw new SnapshotError({ code: "incomplete", name, reason });
    }
    return { blocks: this.#blocks.size, nodes: this.#nodes.size, leaves: this.#leaves.size };
  }
}
