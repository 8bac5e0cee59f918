import { blake2b256, equalBytes, fromHex, toHex } from "@vedette/crypto";
import { errorText } from "@vedette/errors";
import { type Block, type Dialect, decodeBlock, hashBlock, hashKey } from "@vedette/protocol";
import { blocksAround } from "@vedette/sync";
import { emptyRoot, RadixNode } from "@vedette/tuplespace";
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
  readonly #dialect: Dialect;
  readonly #blocks = new Map<string, Block>();
  readonly #nodes = new Set<string>();
  readonly #leaves = new Set<string>();
  readonly #wantedNodes = new Set<string>();
  readonly #wantedLeaves = new Set<string>();

  constructor(manifest: Manifest, dialect: Dialect) {
    this.#manifest = manifest;
    this.#dialect = dialect;
  }

  block(bytes: Uint8Array, hash: string): void {
    try {
      const block = decodeBlock(bytes.slice());
      if (!equalBytes(hashBlock(block, this.#dialect), block.hash)) throw new TypeError("its hash is another one");
      this.#blocks.set(hashKey(block.hash), block);
    } catch (error) {
      throw new SnapshotError({ code: "chunkWrong", hash, reason: `a block: ${errorText(error)}` }, { cause: error });
    }
  }

  node(bytes: Uint8Array, hash: string): void {
    this.#nodes.add(hashKey(blake2b256(bytes)));
    let node: RadixNode;
    try {
      node = new RadixNode(bytes);
    } catch (error) {
      throw new SnapshotError({ code: "chunkWrong", hash, reason: `a node: ${errorText(error)}` }, { cause: error });
    }
    for (let index = 0; index < 256; index += 1) {
      const offset = node.offsetOf(index);
      if (offset < 0) continue;
      const wanted = node.isPointerAt(offset) ? this.#wantedNodes : this.#wantedLeaves;
      wanted.add(hashKey(node.targetAt(offset)));
    }
  }

  leaf(bytes: Uint8Array): void {
    this.#leaves.add(hashKey(blake2b256(bytes)));
  }

  result(): VerifiedSnapshot {
    const { block, name } = this.#manifest;
    const incomplete = (reason: string) => new SnapshotError({ code: "incomplete", name, reason });
    const own = this.#blocks.get(hashKey(fromHex(block.hash)));
    if (own === undefined) throw incomplete("its own block is not in it");
    const around = blocksAround(own, (hash) => this.#blocks.get(hashKey(hash)));
    if (around.kind === "missing") throw incomplete(`block ${toHex(around.hash)} is not in it`);
    const root = own.body.state.postStateHash;
    if (toHex(root) !== block.postStateHash) throw incomplete("its state is not that of its block");
    if (!equalBytes(root, emptyRoot)) this.#wantedNodes.add(hashKey(root));
    const lacks = (wanted: ReadonlySet<string>, there: ReadonlySet<string>) =>
      [...wanted].filter((key) => !there.has(key)).length;
    const [nodes, leaves] = [lacks(this.#wantedNodes, this.#nodes), lacks(this.#wantedLeaves, this.#leaves)];
    if (nodes + leaves > 0) throw incomplete(`${nodes} nodes and ${leaves} leaves of the state are not in it`);
    return { blocks: this.#blocks.size, nodes: this.#nodes.size, leaves: this.#leaves.size };
  }
}
