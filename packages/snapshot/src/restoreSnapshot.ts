import { BlockTable, beginAtState, Dag } from "@vedette/chain";
import { equalBytes, fromHex, toHex } from "@vedette/crypto";
import { errorText } from "@vedette/errors";
import { type Block, type Dialect, hashKey } from "@vedette/protocol";
import type { Store } from "@vedette/store";
import { importedBlocks } from "@vedette/sync";
import { childrenOf, emptyRoot, isLeafOf, nextBytesOf, type SpaceForm, StateStore } from "@vedette/tuplespace";
import { BlockReader, requireBlocks } from "./checkBlocks.js";
import { entriesOf } from "./chunk/chunkFormat.js";
import { type OpenedChunk, readChunks } from "./chunk/readChunks.js";
import type { Manifest } from "./manifest/Manifest.js";
import type { SnapshotPlace } from "./place/SnapshotPlace.js";
import type { RestoreProgress } from "./RestoreProgress.js";
import { SnapshotError } from "./SnapshotError.js";
import { StateBatch } from "./StateBatch.js";
import { StateWalk } from "./StateWalk.js";

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
  /** That of the states, by the dialect. */
  readonly form: SpaceForm;
  readonly chain: Store;
  readonly state: Store;
  /** What was done before, where this was broken off. */
  readonly progress: Pick<RestoreProgress, "has" | "add">;
  readonly tell: (stage: string, done: number, total: number) => void;
  readonly signal: AbortSignal;
}

/**
 * Checks that a snapshot may be begun with, before anything is written.
 *
 * @throws {SnapshotError} `otherBlock`, `otherShard`, `otherDialect`, `otherMaker`
 */
export function checkManifest(
  manifest: Manifest,
  { trusted, shard, dialect, maker }: Pick<RestoreOptions, "trusted" | "shard" | "dialect" | "maker">,
): void {
  const { name, block } = manifest;
  if (block.hash !== trusted) throw new SnapshotError({ code: "otherBlock", name, found: block.hash, trusted });
  if (manifest.shard !== shard)
    throw new SnapshotError({ code: "otherShard", name, found: manifest.shard, expected: shard });
  checkDialect(manifest, dialect);
  if (maker !== undefined && manifest.maker !== maker)
    throw new SnapshotError({ code: "otherMaker", name, found: manifest.maker, expected: maker });
}

/** @throws {SnapshotError} `otherDialect` */
export function checkDialect({ name, dialect: found }: Manifest, { name: expected }: Dialect): void {
  if (found !== expected) throw new SnapshotError({ code: "otherDialect", name, found, expected });
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
  const { manifest, trusted, dialect, form, chain, state, progress, tell } = options;
  checkManifest(manifest, options);
  const blocks = new BlockTable(chain, { form: dialect.blockForm });
  const states = new StateStore(state, { form });
  const reader = new BlockReader(manifest, dialect, blocks.find(fromHex(trusted)));
  const left = manifest.chunks.filter(({ hash }) => !progress.has(hash));
  let done = manifest.chunks.length - left.length;
  const batch = new StateBatch(states);
  const walk = new StateWalk(form);
  const taken: string[] = [];
  const write = () => {
    batch.write();
    for (const hash of taken.splice(0)) progress.add(hash);
  };
  for await (const chunk of readChunks(options.place, left)) {
    await take(chunk, reader, { blocks, batch, walk, trusted });
    taken.push(chunk.facts.hash);
    if (batch.isFull || options.signal.aborted) write();
    done += 1;
    tell("fetching", done, manifest.chunks.length);
    options.signal.throwIfAborted();
  }
  write();
  const { block, hashes } = requireBlocks(manifest, (hash) => blocks.find(hash));
  // What was broken off has been seen in part alone.
  if (!walk.isWhole) await checkState(block.body.state.postStateHash, states, options);
  states.recordRoot(block.body.state.postStateHash);
  const approved = { candidate: { block, requiredSignatures: 0 }, signatures: [] };
  beginAtState({ dag: new Dag(chain), blocks }, approved, importedBlocks(block, hashes));
  return block;
}

/** Where the entries of chunks go. */
interface Taking {
  readonly blocks: BlockTable;
  readonly batch: StateBatch;
  readonly walk: StateWalk;
  /** The block whose state is followed. */
  readonly trusted: string;
}

async function take(
  { facts, bytes }: OpenedChunk,
  reader: BlockReader,
  { blocks, batch, walk, trusted }: Taking,
): Promise<void> {
  for (const { kind, bytes: value } of entriesOf(facts.hash, bytes)) {
    if (kind !== "block") {
      const hash = batch.add(kind, value);
      if (kind === "leaf") walk.leaf(hash, value);
      else followNode(walk, hash, { facts, bytes: value });
      continue;
    }
    const block = reader.read(facts.hash, value);
    if (toHex(block.hash) === trusted) walk.begin(block.body.state.postStateHash);
    await blocks.prepare(block);
    blocks.put(block);
  }
}

function followNode(walk: StateWalk, hash: Uint8Array, { facts, bytes }: OpenedChunk): void {
  try {
    walk.node(hash, bytes);
  } catch (error) {
    const reason = `a node: ${errorText(error)}`;
    throw new SnapshotError({ code: "chunkWrong", hash: facts.hash, reason }, { cause: error });
  }
}

/** That nothing of a state is missing. What is there is right, as it is called by its hash. */
async function checkState(
  root: Uint8Array,
  states: StateStore,
  { manifest, tell, signal }: RestoreOptions,
): Promise<void> {
  const incomplete = (reason: string) => new SnapshotError({ code: "incomplete", name: manifest.name, reason });
  const visited = new Set<string>();
  const pending: { readonly hash: Uint8Array; readonly firstByte: number | undefined }[] = [];
  if (!equalBytes(root, emptyRoot)) pending.push({ hash: root, firstByte: undefined });
  for (let place = pending.pop(); place !== undefined; place = pending.pop()) {
    const { hash, firstByte } = place;
    const key = hashKey(hash);
    if (visited.has(key)) continue;
    visited.add(key);
    const stored = states.storedNode(hash);
    if (stored === undefined) throw incomplete(`node ${toHex(hash)} is not in it`);
    const { nodes, leaves } = childrenOf(stored.node);
    const next = nextBytesOf(stored.node);
    for (const [at, target] of nodes.entries()) pending.push({ hash: target, firstByte: firstByte ?? next.nodes[at]! });
    for (const [at, target] of leaves.entries())
      if (!hasLeafOf(states, target, firstByte ?? next.leaves[at]!))
        throw incomplete(`leaf ${toHex(target)} is not in it`);
    if (visited.size % nodesOfBreath > 0) continue;
    tell("checking", visited.size, manifest.nodes);
    await new Promise((resolve) => setImmediate(resolve));
    signal.throwIfAborted();
  }
}

function hasLeafOf(states: StateStore, hash: Uint8Array, firstByte: number): boolean {
  if (states.form.uncoveredKind === undefined) return states.hasLeaf(hash);
  const bytes = states.leafBytes(hash);
  return bytes !== undefined && isLeafOf(states.form, bytes, firstByte);
}
