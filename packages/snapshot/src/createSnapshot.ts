import type { BlockTable, Dag } from "@vedette/chain";
import { fromHex, toHex } from "@vedette/crypto";
import { errorText } from "@vedette/errors";
import { type Block, type Dialect, encodeBlock, rnodeScala } from "@vedette/protocol";
import type { Store } from "@vedette/store";
import { blocksAround } from "@vedette/sync";
import { childrenOf, emptyRoot, type RadixNode, type SpaceForm, StateStore } from "@vedette/tuplespace";
import { ChunkWriter } from "./chunk/ChunkWriter.js";
import { type Maker, type ManifestContent, writeManifest } from "./manifest/Manifest.js";
import { chunkName, manifestName } from "./manifest/names.js";
import type { SnapshotPlace } from "./place/SnapshotPlace.js";
import { SnapshotError } from "./SnapshotError.js";

/** Between two turns of the event loop, and two words of how far it is. */
const nodesOfBreath = 200;

/** What a snapshot is made of: a node's chain and its states. They may be those of a node that runs. */
export interface SnapshotSource {
  readonly dialect: Dialect;
  /** That of the states, by the dialect. */
  readonly form: SpaceForm;
  readonly state: Store;
  readonly dag: Dag;
  readonly blocks: BlockTable;
}

/** How a snapshot is made. */
export interface CreateOptions {
  readonly source: SnapshotSource;
  readonly place: SnapshotPlace;
  /** Of the block that others will begin with; without, the last finalized one. */
  readonly at?: string | undefined;
  readonly maker?: Maker | undefined;
  readonly nowMs: () => number;
  readonly tell: (nodes: number, leaves: number) => void;
  readonly signal: AbortSignal;
}

/** A snapshot that was made. */
export interface MadeSnapshot extends ManifestContent {
  readonly name: string;
  readonly dialect: Dialect["name"];
}

/**
 * Writes the state after a block, and the blocks that a node needs to begin there. The manifest comes last, so that a
 * snapshot which can be seen is whole; what was written for one that was broken off is used by the next.
 *
 * @throws {SnapshotError} `nothingFinal`, `unknownBlock`, `stateMissing`, `blocksMissing`, `placeUnusable`; what the
 *   signal is aborted with
 */
export async function createSnapshot(options: CreateOptions): Promise<MadeSnapshot> {
  const { source, place, maker, nowMs } = options;
  const block = blockOf(source, options.at);
  const writer = new ChunkWriter(place);
  const blocks = await writeBlocks(block, source, writer);
  const { nodes, leaves } = await writeState(block, options, writer);
  const postStateHash = toHex(block.body.state.postStateHash);
  const made: ManifestContent = {
    format: "vedette-snapshot-1",
    shard: block.shardId,
    // Earlier versions know nothing of it, and take what does not name any.
    ...(source.dialect === rnodeScala ? {} : { dialect: source.dialect.name }),
    block: { hash: toHex(block.hash), number: Number(block.number), postStateHash },
    ...{ blocks, nodes, leaves, madeAt: nowMs(), chunks: [...(await writer.end())] },
  };
  const name = manifestName(block.number, made.block.hash);
  await place.put(name, writeManifest(made, maker));
  // Somebody may have thrown away, meanwhile, what was there already and therefore was not written.
  for (const { hash } of made.chunks) {
    if (await place.has(chunkName(hash))) continue;
    await place.delete(name);
    throw new SnapshotError({ code: "incomplete", name, reason: `chunk ${hash} was thrown away while it was made` });
  }
  return { ...made, name, dialect: source.dialect.name };
}

function blockOf({ dag, blocks }: SnapshotSource, at: string | undefined): Block {
  const hash = at === undefined ? dag.lastFinalized()?.hash : /^[0-9a-f]{64}$/.test(at) ? fromHex(at) : undefined;
  if (hash === undefined) {
    if (at === undefined) throw new SnapshotError({ code: "nothingFinal" });
    throw new SnapshotError({ code: "unknownBlock", block: at });
  }
  const block = dag.has(hash) ? blocks.find(hash) : undefined;
  if (block === undefined) throw new SnapshotError({ code: "unknownBlock", block: toHex(hash) });
  return block;
}

/** @returns how many */
async function writeBlocks(block: Block, { blocks }: SnapshotSource, writer: ChunkWriter): Promise<number> {
  const around = blocksAround(block, (hash) => blocks.find(hash));
  if (around.kind === "missing") throw new SnapshotError({ code: "blocksMissing", hash: toHex(around.hash) });
  const others = around.looked.filter((hash) => toHex(hash) !== toHex(block.hash));
  for (const hash of [block.hash, ...others])
    await writer.add({ kind: "block", bytes: blocks.findBytes(hash) ?? encodeBlock(blocks.find(hash)!) });
  await writer.break();
  return 1 + others.length;
}

/** Writes nodes before what is below them, and what lies to the left first: neighbours in the tree are neighbours here. */
async function writeState(block: Block, { source, tell, signal }: CreateOptions, writer: ChunkWriter) {
  const states = new StateStore(source.state, { form: source.form });
  const told = { nodes: 0, leaves: 0 };
  const missing = (reason: string) => new SnapshotError({ code: "stateMissing", height: block.number, reason });
  const root = block.body.state.postStateHash;
  const pending = toHex(root) === toHex(emptyRoot) ? [] : [root];
  for (let hash = pending.pop(); hash !== undefined; hash = pending.pop()) {
    const node = nodeOf(states, hash, missing);
    const held = writer.add({ kind: "node", bytes: node.bytes }, hash);
    if (held !== undefined) await held;
    told.nodes += 1;
    const below = childrenOf(node);
    for (const leaf of below.leaves) {
      const bytes = states.leafBytes(leaf);
      if (bytes === undefined) throw missing(`leaf ${toHex(leaf)} is not there`);
      const full = writer.add({ kind: "leaf", bytes });
      if (full !== undefined) await full;
      told.leaves += 1;
    }
    pending.push(...below.nodes.toReversed());
    if (told.nodes % nodesOfBreath > 0) continue;
    tell(told.nodes, told.leaves);
    await new Promise((resolve) => setImmediate(resolve));
    signal.throwIfAborted();
  }
  return told;
}

function nodeOf(states: StateStore, hash: Uint8Array, missing: (reason: string) => SnapshotError): RadixNode {
  try {
    const stored = states.storedNode(hash);
    if (stored !== undefined) return stored.node;
  } catch (error) {
    throw missing(errorText(error));
  }
  throw missing(`node ${toHex(hash)} is not there`);
}
