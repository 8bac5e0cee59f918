import { fromHex, toHex } from "@vedette/crypto";
import { errorText } from "@vedette/errors";
import { type Block, type Dialect, dialectMark, encodeBlock } from "@vedette/protocol";
import { blocksAround } from "@vedette/sync";
import { childrenOf, emptyRoot, type RadixNode, StateStore } from "@vedette/tuplespace";
import { minOf } from "./checkBlocks.js";
import { ChunkWriter } from "./chunk/ChunkWriter.js";
import { encodeFloors, type SnapshotFloors } from "./floors/SnapshotFloors.js";
import { snapshotFloorsOf } from "./floors/snapshotFloorsOf.js";
import type { BlocksAround } from "./horizon/horizonBlocks.js";
import { writeHorizon } from "./horizon/writeHorizon.js";
import { type ManifestContent, type SnapshotCreator, writeManifest } from "./manifest/Manifest.js";
import { chunkName, manifestName } from "./manifest/names.js";
import type { SnapshotStorage } from "./place/SnapshotStorage.js";
import { SnapshotError } from "./SnapshotError.js";
import type { SnapshotSource } from "./SnapshotSource.js";

/** Between two turns of the event loop, and two words of how far it is. */
const nodesPerYield = 200;

/** How a snapshot is made. */
export interface CreateOptions {
  readonly source: SnapshotSource;
  readonly place: SnapshotStorage;
  /** The block that others will begin with; default: the last finalized one. */
  readonly at?: string | undefined;
  /** Height from which on it has all blocks; without, those that a node needs to begin. */
  readonly blocksFrom?: bigint | undefined;
  readonly maker?: SnapshotCreator | undefined;
  /** Threshold of finality, in parts of a million, for the checkpoint of the snapshot; without, it has none. */
  readonly thresholdPpm?: number | undefined;
  /** That judges the network; `undefined`: its dialect has none. */
  readonly ruleSet?: string | undefined;
  readonly nowMs: () => number;
  readonly report: (nodes: number, leaves: number) => void;
  readonly signal: AbortSignal;
}

/** A snapshot that was made. */
export interface CreatedSnapshot extends ManifestContent {
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
export async function createSnapshot(options: CreateOptions): Promise<CreatedSnapshot> {
  const { source, place, maker, nowMs, thresholdPpm, ruleSet } = options;
  const block = blockOf(source, options.at);
  const writer = new ChunkWriter(place);
  const blocksFrom = lowestOf(block, options.blocksFrom);
  const rules = await snapshotFloorsOf(source.dialect.name);
  const { blocks, around } = await writeBlocks(block, blocksFrom, { source, rules }, writer);
  const { nodes, leaves } = await writeState(block, options, writer);
  const horizon = rules && (await writeHorizon(around, { rules, source, writer, signal: options.signal }));
  const postStateHash = toHex(block.body.state.postStateHash);
  const mark = dialectMark(source.dialect.name);
  const made: ManifestContent = {
    format: "vedette-snapshot-1",
    shard: block.shardId,
    // Earlier versions do not have this member, and accept manifests without it.
    ...(mark === undefined ? {} : { dialect: mark }),
    ...(ruleSet === undefined ? {} : { ruleSet }),
    block: { hash: toHex(block.hash), number: Number(block.number), postStateHash },
    ...(thresholdPpm === undefined ? {} : { checkpoint: { timestamp: Number(block.header.timestamp), thresholdPpm } }),
    ...(blocksFrom === undefined ? {} : { blocksFrom: Number(blocksFrom) }),
    ...{ blocks, nodes, leaves, ...(horizon === undefined ? {} : { horizon }) },
    ...{ madeAt: nowMs(), chunks: [...(await writer.end())] },
  };
  const name = manifestName(block.number, made.block.hash);
  await place.put(name, writeManifest(made, maker));
  // Chunks that were there already were not written; another process may have deleted them meanwhile.
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

/** @returns `undefined` where no more blocks are wanted than a node needs */
function lowestOf(block: Block, blocksFrom: bigint | undefined): bigint | undefined {
  return blocksFrom === undefined || blocksFrom > block.number ? undefined : blocksFrom;
}

/** @returns how many blocks were written, and the blocks with their floors */
async function writeBlocks(
  block: Block,
  wanted: bigint | undefined,
  { source, rules }: { readonly source: SnapshotSource; readonly rules: SnapshotFloors | undefined },
  writer: ChunkWriter,
): Promise<{ readonly blocks: number; readonly around: BlocksAround }> {
  const { blocks } = source;
  const find = (hash: Uint8Array) => blocks.find(hash);
  const lowest = minOf(wanted, rules?.lowest(block, rules.collect(source, block, [block.hash]), find));
  const around = blocksAround(block, find, lowest);
  if (around.kind === "missing")
    throw new SnapshotError({ code: "blocksMissing", hash: toHex(around.hash), lowest: wanted });
  const others = around.looked.filter((hash) => toHex(hash) !== toHex(block.hash));
  for (const hash of [block.hash, ...others]) {
    const bytes = blocks.findBytes(hash) ?? encodeBlock(blocks.find(hash)!);
    const full = writer.add({ kind: "block", bytes }, hash);
    if (full !== undefined) await full;
  }
  await writer.break();
  const { hashes } = around;
  const floors = rules?.collect(source, block, hashes) ?? [];
  if (rules !== undefined) {
    // In a separate chunk: chunks of blocks are shared with other snapshots.
    await writer.add({ kind: "floors", bytes: encodeFloors(floors) });
    await writer.break();
  }
  return { blocks: 1 + others.length, around: { block, hashes, floors, find } };
}

/** Writes nodes before what is below them, and what lies to the left first: neighbours in the tree are neighbours here. */
async function writeState(block: Block, { source, report, signal }: CreateOptions, writer: ChunkWriter) {
  const states = new StateStore(source.state, { form: source.form });
  const counts = { nodes: 0, leaves: 0 };
  const missing = (reason: string) => new SnapshotError({ code: "stateMissing", height: block.number, reason });
  const root = block.body.state.postStateHash;
  const pending = toHex(root) === toHex(emptyRoot) ? [] : [root];
  for (let hash = pending.pop(); hash !== undefined; hash = pending.pop()) {
    const node = nodeOf(states, hash, missing);
    const held = writer.add({ kind: "node", bytes: node.bytes }, hash);
    if (held !== undefined) await held;
    counts.nodes += 1;
    const below = childrenOf(node);
    for (const leaf of below.leaves) {
      const bytes = states.leafBytes(leaf);
      if (bytes === undefined) throw missing(`leaf ${toHex(leaf)} is not there`);
      const full = writer.add({ kind: "leaf", bytes });
      if (full !== undefined) await full;
      counts.leaves += 1;
    }
    pending.push(...below.nodes.toReversed());
    if (counts.nodes % nodesPerYield > 0) continue;
    requirePlaces(counts.nodes, states, missing);
    report(counts.nodes, counts.leaves);
    await new Promise((resolve) => setImmediate(resolve));
    signal.throwIfAborted();
  }
  return counts;
}

/** A state from elsewhere may be made to have few nodes in very many places. */
function requirePlaces(places: number, { maxPlaces }: StateStore, missing: (reason: string) => SnapshotError): void {
  if (places > maxPlaces) throw missing("it has the same nodes again and again");
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
