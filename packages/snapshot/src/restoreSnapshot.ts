import { BlockTable, beginAtState, Dag } from "@vedette/chain";
import { blake2b256, equalBytes, fromHex, toHex } from "@vedette/crypto";
import { errorText } from "@vedette/errors";
import { type Block, type Dialect, decodeBlock, hashBlock, hashKey } from "@vedette/protocol";
import type { Store } from "@vedette/store";
import { blocksAround, importedBlocks } from "@vedette/sync";
import { emptyRoot, StateStore } from "@vedette/tuplespace";
import { entriesOf } from "./chunk/chunkFormat.js";
import { type OpenedChunk, readChunks } from "./chunk/readChunks.js";
import type { Manifest } from "./manifest/Manifest.js";
import type { SnapshotPlace } from "./place/SnapshotPlace.js";
import type { RestoreProgress } from "./RestoreProgress.js";
import { SnapshotError } from "./SnapshotError.js";

/** Written in one transaction. */
const bytesOfBatch = 2 << 20;
const nodesOfBreath = 500;

/** How a data directory is made of a snapshot. */
export interface RestoreOptions {
  readonly place: SnapshotPlace;
  readonly manifest: Manifest;
  /** The block that the operator trusts, 64 hex digits. */
  readonly trusted: string;
  readonly shard: string;
  /** Id of the node that must have made it; anybody, without. */
  readonly maker?: string | undefined;
  readonly dialect: Dialect;
  readonly chain: Store;
  readonly state: Store;
  /** What was done before, where this was broken off. */
  readonly progress: Pick<RestoreProgress, "has" | "add">;
  readonly tell: (stage: string, done: number, total: number) => void;
  readonly signal: AbortSignal;
}

interface Item {
  readonly key: Uint8Array;
  readonly value: Uint8Array;
}

/**
 * Checks that a snapshot may be begun with, before anything is written.
 *
 * @throws {SnapshotError} `otherBlock`, `otherShard`, `otherMaker`
 */
export function checkManifest(
  manifest: Manifest,
  { trusted, shard, maker }: Pick<RestoreOptions, "trusted" | "shard" | "maker">,
): void {
  const { name, block } = manifest;
  if (block.hash !== trusted) throw new SnapshotError({ code: "otherBlock", name, found: block.hash, trusted });
  if (manifest.shard !== shard)
    throw new SnapshotError({ code: "otherShard", name, found: manifest.shard, expected: shard });
  if (maker !== undefined && manifest.maker !== maker)
    throw new SnapshotError({ code: "otherMaker", name, found: manifest.maker, expected: maker });
}

/**
 * Fills an empty data directory from a snapshot. Nothing but the block's hash is trusted: the block says its state's
 * root, and every node and leaf is called by the hash of its bytes; the chain begins only once nothing is missing.
 * Broken off, it goes on with the chunks that are left.
 *
 * @returns the block that the chain begins with now
 * @throws {SnapshotError} as {@link checkManifest}, and `chunkWrong`, `incomplete`, `placeUnusable`; {StoreError}; what
 *   the signal is aborted with
 * @spec 40 §3.9
 */
export async function restoreSnapshot(options: RestoreOptions): Promise<Block> {
  const { manifest, trusted, chain, state, progress, tell } = options;
  checkManifest(manifest, options);
  const blocks = new BlockTable(chain);
  const states = new StateStore(state);
  const left = manifest.chunks.filter(({ hash }) => !progress.has(hash));
  let done = manifest.chunks.length - left.length;
  for await (const chunk of readChunks(options.place, left)) {
    await take(chunk, options, { blocks, states });
    progress.add(chunk.facts.hash);
    done += 1;
    tell("fetching", done, manifest.chunks.length);
    options.signal.throwIfAborted();
  }
  const incomplete = (reason: string) => new SnapshotError({ code: "incomplete", name: manifest.name, reason });
  const block = blocks.find(fromHex(trusted));
  if (block === undefined) throw incomplete("its own block is not in it");
  const around = blocksAround(block, (hash) => blocks.find(hash));
  if (around.kind === "missing") throw incomplete(`block ${toHex(around.hash)} is not in it`);
  const root = block.body.state.postStateHash;
  await checkState(root, states, options, incomplete);
  states.recordRoot(root);
  const approved = { candidate: { block, requiredSignatures: 0 }, signatures: [] };
  beginAtState({ dag: new Dag(chain), blocks }, approved, importedBlocks(block, around.hashes));
  return block;
}

async function take(
  { facts, bytes }: OpenedChunk,
  { dialect, shard }: RestoreOptions,
  { blocks, states }: { readonly blocks: BlockTable; readonly states: StateStore },
): Promise<void> {
  let [nodes, leaves, size]: [Item[], Item[], number] = [[], [], 0];
  const write = () => {
    if (size > 0) states.putItems(nodes, leaves);
    [nodes, leaves, size] = [[], [], 0];
  };
  for (const { kind, bytes: value } of entriesOf(facts.hash, bytes)) {
    if (kind === "block") {
      const block = readBlock(facts.hash, value, dialect);
      if (block.shardId !== shard)
        throw new SnapshotError({ code: "chunkWrong", hash: facts.hash, reason: "a block is another network's" });
      await blocks.prepare(block);
      blocks.put(block);
      continue;
    }
    (kind === "node" ? nodes : leaves).push({ key: blake2b256(value), value });
    size += value.length;
    if (size >= bytesOfBatch) write();
  }
  write();
}

/** A block that is what its hash says. @throws {SnapshotError} `chunkWrong` */
function readBlock(hash: string, bytes: Uint8Array, dialect: Dialect): Block {
  const wrong = (reason: string, cause?: unknown) => new SnapshotError({ code: "chunkWrong", hash, reason }, { cause });
  try {
    const block = decodeBlock(bytes.slice());
    if (equalBytes(hashBlock(block, dialect), block.hash)) return block;
  } catch (error) {
    throw wrong(`a block cannot be read (${errorText(error)})`, error);
  }
  throw wrong("a block has another hash than it says");
}

/** That nothing of a state is missing. What is there is right, as it is called by its hash. */
async function checkState(
  root: Uint8Array,
  states: StateStore,
  { manifest, tell, signal }: RestoreOptions,
  incomplete: (reason: string) => SnapshotError,
): Promise<void> {
  const visited = new Set<string>();
  const pending = equalBytes(root, emptyRoot) ? [] : [root];
  for (let hash = pending.pop(); hash !== undefined; hash = pending.pop()) {
    const key = hashKey(hash);
    if (visited.has(key)) continue;
    visited.add(key);
    const stored = states.storedNode(hash);
    if (stored === undefined) throw incomplete(`node ${toHex(hash)} is not in it`);
    const { node } = stored;
    for (let index = 0; index < 256; index += 1) {
      const offset = node.offsetOf(index);
      if (offset < 0) continue;
      const target = node.targetAt(offset);
      if (node.isPointerAt(offset)) pending.push(target);
      else if (!states.hasLeaf(target)) throw incomplete(`leaf ${toHex(target)} is not in it`);
    }
    if (visited.size % nodesOfBreath > 0) continue;
    tell("checking", visited.size, manifest.nodes);
    await new Promise((resolve) => setImmediate(resolve));
    signal.throwIfAborted();
  }
}
