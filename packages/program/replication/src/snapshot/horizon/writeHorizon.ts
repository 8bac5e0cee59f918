import { equalBytes } from "@vedette/crypto";
import { type Block, hashKey } from "@vedette/protocol";
import { diffStates, emptyRoot, HistoryError, StateStore } from "@vedette/tuplespace";
import type { ChunkWriter } from "../chunk/ChunkWriter.js";
import type { Entry } from "../chunk/chunkFormat.js";
import type { SnapshotFloors } from "../floors/SnapshotFloors.js";
import { type HorizonFacts, maxHorizonItems, maxHorizonStates } from "../manifest/Manifest.js";
import type { SnapshotSource } from "../SnapshotSource.js";
import { type BlocksAround, horizonBlocks } from "./horizonBlocks.js";
import { encodeNumbers, encodeStateHead, maxStateBytes } from "./horizonFormat.js";

/** By which rules a horizon is written, from where to where. */
export interface HorizonWriting {
  readonly rules: SnapshotFloors;
  readonly source: SnapshotSource;
  readonly writer: ChunkWriter;
  readonly signal: AbortSignal;
}

/**
 * Writes the data that merges right above a snapshot's block need: the states before and after the blocks below it,
 * each by its difference to those before it, and the changes of number channels by the deploys of these blocks. Data
 * that are missing here, or were removed meanwhile, are left to peers.
 *
 * @param around the block with the state that is in the snapshot already
 * @spec 61 §16.4
 */
export async function writeHorizon(
  around: BlocksAround,
  { rules, source, writer, signal }: HorizonWriting,
): Promise<HorizonFacts> {
  // Chunks of the state are shared with other snapshots.
  await writer.break();
  const blocks = horizonBlocks(rules, around);
  const states = new HorizonStates(source, around.block.body.state.postStateHash);
  for (const { body } of blocks) {
    const { preStateHash, postStateHash } = body.state;
    for (const [root, beside] of [
      [postStateHash, undefined],
      [preStateHash, postStateHash],
    ] as const) {
      const entries = states.entriesOf(root, beside);
      if (entries === undefined) continue;
      await writer.addTogether(entries);
      await new Promise((resolve) => setImmediate(resolve));
      signal.throwIfAborted();
    }
  }
  await writer.break();
  const numbers = rules.numbers({ store: source.state, form: source.form });
  let written = 0;
  for (const block of blocks) {
    const entry = written < maxHorizonStates && states.hasBoth(block) ? numbers.find(block) : undefined;
    if (entry === undefined) continue;
    await writer.add({ kind: "numbers", bytes: encodeNumbers(block.hash, entry) });
    written += 1;
  }
  await writer.break();
  return { ...states.counts, numbers: written };
}

/** States that are in a snapshot, and what they have. */
class HorizonStates {
  readonly #states: StateStore;
  readonly #had: Set<string>;
  /** Nodes and leaves of all but the first. */
  readonly #written = new Set<string>();
  #last: Uint8Array;
  #count = 0;
  #nodes = 0;
  #leaves = 0;

  constructor({ state, form }: SnapshotSource, first: Uint8Array) {
    this.#states = new StateStore(state, { form });
    this.#had = new Set([hashKey(first), hashKey(emptyRoot)]);
    this.#last = first;
  }

  get counts(): Omit<HorizonFacts, "numbers"> {
    return { states: this.#count, nodes: this.#nodes, leaves: this.#leaves };
  }

  hasBoth({ body: { state } }: Block): boolean {
    return this.#had.has(hashKey(state.preStateHash)) && this.#had.has(hashKey(state.postStateHash));
  }

  /**
   * The entries of one more state.
   *
   * @param beside a state that differs in little, if it is there
   * @returns `undefined` where it is there already, is not whole here, or is too large
   */
  entriesOf(root: Uint8Array, beside: Uint8Array | undefined): readonly Entry[] | undefined {
    const states = this.#states;
    if (this.#had.has(hashKey(root)) || !states.hasRoot(root) || this.#count >= maxHorizonStates) return undefined;
    const isBeside = beside !== undefined && this.#had.has(hashKey(beside)) && !equalBytes(beside, emptyRoot);
    const base = isBeside ? beside : this.#last;
    const found = this.#newSince(root, base);
    if (found === undefined) return undefined;
    const { nodes, leaves } = found;
    const size = [...nodes.values(), ...leaves.values()].reduce((sum, bytes) => sum + bytes.length, 0);
    const isTooMuch = size > maxStateBytes || this.#nodes + nodes.size > maxHorizonItems;
    if (isTooMuch || this.#leaves + leaves.size > maxHorizonItems) return undefined;
    for (const key of [...nodes.keys(), ...leaves.keys()]) this.#written.add(key);
    this.#had.add(hashKey(root));
    [this.#last, this.#count] = [root, this.#count + 1];
    [this.#nodes, this.#leaves] = [this.#nodes + nodes.size, this.#leaves + leaves.size];
    const head = encodeStateHead({ root, base, nodes: nodes.size, leaves: leaves.size });
    return [
      { kind: "state", bytes: head },
      ...[...nodes.values()].map((bytes): Entry => ({ kind: "node", bytes })),
      ...[...leaves.values()].map((bytes): Entry => ({ kind: "leaf", bytes })),
    ];
  }

  /**
   * Returns the pieces of the state that were not written with another one. @returns `undefined` if one of the states
   * is incomplete
   */
  #newSince(root: Uint8Array, base: Uint8Array) {
    const nodes = new Map<string, Uint8Array>();
    const leaves = new Map<string, Uint8Array>();
    try {
      const found = diffStates(this.#states, root, base);
      for (const { hash, node } of found.nodes)
        if (!this.#written.has(hashKey(hash))) nodes.set(hashKey(hash), node.bytes);
      for (const hash of found.leaves) {
        if (this.#written.has(hashKey(hash))) continue;
        const bytes = this.#states.leafBytes(hash);
        if (bytes === undefined) return undefined;
        leaves.set(hashKey(hash), bytes);
      }
    } catch (error) {
      if (error instanceof HistoryError) return undefined;
      throw error;
    }
    return { nodes, leaves };
  }
}
