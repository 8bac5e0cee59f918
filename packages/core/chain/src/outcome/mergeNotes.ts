import { compareBytes, equalBytes } from "@vedette/crypto";
import type { MergedState, MergeRejection } from "@vedette/execution";
import { type Block, decodeStoredBlock, hashKey, rnode } from "@vedette/protocol";
import type { Store, WritableTables } from "@vedette/store";
import { findBlockBytes } from "../block/BlockChunks.js";
import { ChainError } from "../ChainError.js";
import type { BlockMetadata } from "../dag/BlockMetadata.js";
import type { DagView } from "../dag/DagView.js";
import { type MergeScope, mergeScopes } from "../merge/scope.js";

/**
 * The state that a block with several parents began with: the state of one block, and the blocks merged on it.
 * @spec 40 §12
 */
export interface MergeNote {
  /** The base of the merge; below it nothing was merged anew. */
  readonly base: Uint8Array;
  /** The rejected deploys of the blocks above the base and below this block. */
  readonly rejections: readonly MergeRejection[];
}

const hashBytes = 32;
const lengthBytes = 2;
const longestId = 0xffff;

/**
 * Stores the state that a block was found to begin with; a merge that led elsewhere than the block states is not kept.
 */
export function noteMerge(store: Store, block: Block, { base }: MergeScope, merged: MergedState): void {
  if (!equalBytes(merged.stateHash, block.body.state.preStateHash)) return;
  const value = encodeNote({ base, rejections: merged.rejections });
  store.write((tables) => tables("merges").put(block.hash, value));
}

/** Where the beginning of a block is looked up, or found out. */
export interface MergeNoteSources {
  readonly dag: DagView;
  readonly tables: WritableTables;
  /** Fault tolerance above which a block is final. */
  readonly threshold: number;
}

/**
 * Returns the state that a block with several parents began with; `undefined` if it cannot be derived.
 *
 * For a block that was not executed here, the creator's view replaces the view of its merge. If several merged
 * blocks have one deploy, the block with the lowest post-state keeps it. By evidence the first block keeps it, unless
 * the merging block names the deploy as rejected, or the main parent builds on another one.
 *
 * @spec 40 §12.1, §12.3, §16.7
 */
export function findMergeNote(block: BlockMetadata, sources: MergeNoteSources): MergeNote | undefined {
  const noted = sources.tables("merges").get(block.hash);
  return noted === undefined ? workedOut(block, sources) : decodeNote(noted);
}

function workedOut(block: BlockMetadata, sources: MergeNoteSources): MergeNote | undefined {
  const { dag, tables, threshold } = sources;
  const bytes = findBlockBytes(tables, block.hash);
  if (bytes === undefined) return undefined;
  const parents = block.parents.flatMap((hash) => dag.find(hash) ?? []);
  const scope = likelyScope(dag, parents, { justifications: block.justifications, threshold });
  const ids = decodeStoredBlock(bytes, rnode.blockForm).body.rejectedDeploys.map(({ signature }) => signature);
  if (scope === undefined) return dag.judgesByEvidence ? asNamed(block, ids, dag) : undefined;
  const named = new Set(ids.map(hashKey));
  const rejections: MergeRejection[] = [];
  if (scope.beside === undefined) {
    const merged = scope.blocks.map((hash) => dag.require(hash));
    merged.sort((left, right) => compareBytes(left.postStateHash, right.postStateHash));
    for (const [id, places] of deploysIn(merged, sources)) {
      const given = places.length === 1 && named.has(id) ? places : places.slice(1);
      rejections.push(...given);
    }
    return { base: scope.base, rejections };
  }
  const [before, merged] = [scope.beside, scope.blocks].map((hashes) => hashes.map((hash) => dag.require(hash)));
  const decided = deploysIn(before!, sources);
  for (const [id, places] of deploysIn(merged!, sources))
    rejections.push(...(named.has(id) || decided.has(id) ? places : places.slice(1)));
  return { base: scope.base, rejections };
}

/** By evidence, for a block with a gate below all known blocks: no copy of a deploy that it names is in its state. */
function asNamed({ parents }: BlockMetadata, ids: readonly Uint8Array[], dag: DagView): MergeNote {
  const placesOf = (deployId: Uint8Array) => dag.blocksOfDeploy(deployId).map((blockHash) => ({ blockHash, deployId }));
  return { base: parents[0]!, rejections: ids.flatMap(placesOf) };
}

/** The deploys of blocks that did not fail, by signature, each with the blocks that have it, in their order. */
function deploysIn(blocks: readonly BlockMetadata[], { tables }: MergeNoteSources): Map<string, MergeRejection[]> {
  const found = new Map<string, MergeRejection[]>();
  for (const { hash } of blocks) {
    const bytes = findBlockBytes(tables, hash);
    for (const { deploy, failed } of bytes === undefined
      ? []
      : decodeStoredBlock(bytes, rnode.blockForm).body.deploys) {
      if (failed) continue;
      const places = found.get(hashKey(deploy.signature)) ?? [];
      places.push({ blockHash: hash, deployId: deploy.signature });
      found.set(hashKey(deploy.signature), places);
    }
  }
  return found;
}

function likelyScope(
  dag: DagView,
  parents: readonly BlockMetadata[],
  creator: Parameters<typeof mergeScopes>[2],
): MergeScope | undefined {
  try {
    for (const scope of mergeScopes(dag, parents, creator)) return scope;
  } catch (error) {
    if (!(error instanceof ChainError)) throw error;
  }
  return undefined;
}

function encodeNote({ base, rejections }: MergeNote): Uint8Array {
  const kept = rejections.filter(({ deployId }) => deployId.length <= longestId);
  const size = kept.reduce((sum, { deployId }) => sum + hashBytes + lengthBytes + deployId.length, hashBytes);
  const bytes = new Uint8Array(size);
  const view = new DataView(bytes.buffer);
  bytes.set(base);
  let at = hashBytes;
  for (const { blockHash, deployId } of kept) {
    bytes.set(blockHash, at);
    view.setUint16(at + hashBytes, deployId.length);
    bytes.set(deployId, at + hashBytes + lengthBytes);
    at += hashBytes + lengthBytes + deployId.length;
  }
  return bytes;
}

function decodeNote(bytes: Uint8Array): MergeNote {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const rejections: MergeRejection[] = [];
  let at = hashBytes;
  while (at + hashBytes + lengthBytes <= bytes.length) {
    const blockHash = bytes.slice(at, at + hashBytes);
    const from = at + hashBytes + lengthBytes;
    const length = view.getUint16(at + hashBytes);
    rejections.push({ blockHash, deployId: bytes.slice(from, from + length) });
    at = from + length;
  }
  return { base: bytes.slice(0, hashBytes), rejections };
}
