import { blake2b256, equalBytes } from "@vedette/crypto";
import { errorText } from "@vedette/errors";
import { type Block, type Dialect, hashKey } from "@vedette/protocol";
import { childrenOf, emptyRoot, type NodeChildren, RadixNode } from "@vedette/tuplespace";
import { BlockReader, requireBlocks } from "./checkBlocks.js";
import { entriesOf } from "./chunk/chunkFormat.js";
import { readChunks } from "./chunk/readChunks.js";
import type { Manifest } from "./manifest/Manifest.js";
import type { SnapshotPlace } from "./place/SnapshotPlace.js";
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
 * @throws {SnapshotError} `chunkWrong`, `incomplete`, `placeUnusable`; what the signal is aborted with
 */
export async function verifySnapshot(
  place: SnapshotPlace,
  manifest: Manifest,
  {
    dialect,
    tell,
    signal,
  }: {
    readonly dialect: Dialect;
    readonly tell: (stage: string, done: number, total: number) => void;
    readonly signal: AbortSignal;
  },
): Promise<VerifiedSnapshot> {
  const check = new SnapshotCheck(manifest, dialect);
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
  readonly #reader: BlockReader;
  readonly #blocks = new Map<string, Block>();
  readonly #nodes = new Set<string>();
  readonly #leaves = new Set<string>();
  readonly #wantedNodes = new Set<string>();
  readonly #wantedLeaves = new Set<string>();

  constructor(manifest: Manifest, dialect: Dialect) {
    this.#manifest = manifest;
    this.#reader = new BlockReader(manifest, dialect);
  }

  block(bytes: Uint8Array, hash: string): void {
    const block = this.#reader.read(hash, bytes);
    this.#blocks.set(hashKey(block.hash), block);
  }

  node(bytes: Uint8Array, hash: string): void {
    this.#nodes.add(hashKey(blake2b256(bytes)));
    let below: NodeChildren;
    try {
      below = childrenOf(new RadixNode(bytes));
    } catch (error) {
      throw new SnapshotError({ code: "chunkWrong", hash, reason: `a node: ${errorText(error)}` }, { cause: error });
    }
    for (const target of below.nodes) this.#wantedNodes.add(hashKey(target));
    for (const target of below.leaves) this.#wantedLeaves.add(hashKey(target));
  }

  leaf(bytes: Uint8Array): void {
    this.#leaves.add(hashKey(blake2b256(bytes)));
  }

  result(): VerifiedSnapshot {
    const { name } = this.#manifest;
    const { block } = requireBlocks(this.#manifest, (hash) => this.#blocks.get(hashKey(hash)));
    const root = block.body.state.postStateHash;
    if (!equalBytes(root, emptyRoot)) this.#wantedNodes.add(hashKey(root));
    const lacks = (wanted: ReadonlySet<string>, there: ReadonlySet<string>) =>
      [...wanted].filter((key) => !there.has(key)).length;
    const [nodes, leaves] = [lacks(this.#wantedNodes, this.#nodes), lacks(this.#wantedLeaves, this.#leaves)];
    if (nodes + leaves > 0) {
      const reason = `${nodes} nodes and ${leaves} leaves of the state are not in it`;
      throw new SnapshotError({ code: "incomplete", name, reason });
    }
    return { blocks: this.#blocks.size, nodes: this.#nodes.size, leaves: this.#leaves.size };
  }
}
