import { type BlockMetadata, yieldToEventLoop } from "@vedette/chain";
import { blake2b256, equalBytes, toHex } from "@vedette/crypto";
import { decodeBlock, hashBlock, hashKey } from "@vedette/protocol";
import { childrenOf, isLeafOf, nextBytesOf, readForgotten, StateStore } from "@vedette/tuplespace";
import type { OfflineData, ReportProgress } from "./OfflineData.js";

/** Maximum number of problems that are listed one by one. */
const maxReported = 100;
const entriesPerYield = 200;
const hashBytes = 32;

/** A node of a state, and the first byte of the keys below it; the root has those of all. */
interface NodePlace {
  readonly hash: Uint8Array;
  readonly firstByte: number | undefined;
}

/** The faults of a data directory, and the extent of the check. */
export interface DataVerification {
  readonly blocks: number;
  readonly states: number;
  readonly nodes: number;
  readonly leaves: number;
  /** The first hundred. */
  readonly problems: readonly string[];
  readonly problemCount: number;
}

/**
 * Checks every hash and every reference of a data directory: blocks by their bytes, the DAG against the blocks, the
 * states that are kept against the DAG, all nodes and leaves by their hashes, and that each state has all of its own.
 * Nothing is written.
 *
 * @throws the reason of the signal
 */
export async function verifyData(
  data: OfflineData,
  report: ReportProgress,
  signal: AbortSignal,
): Promise<DataVerification> {
  const check = new Check(data, report, signal);
  await check.blocks();
  await check.dag();
  await check.leaves();
  await check.states();
  return check.result();
}

class Check {
  readonly #data: OfflineData;
  readonly #report: ReportProgress;
  readonly #signal: AbortSignal;
  readonly #states: StateStore;
  readonly #problems: string[] = [];
  #count = 0;
  #looked = 0;
  #blocks = 0;
  #roots = 0;
  #nodes = 0;
  #leaves = 0;

  constructor(data: OfflineData, report: ReportProgress, signal: AbortSignal) {
    this.#data = data;
    this.#report = report;
    this.#signal = signal;
    this.#states = new StateStore(data.state, { form: data.form });
  }

  result(): DataVerification {
    return {
      ...{ blocks: this.#blocks, states: this.#roots, nodes: this.#nodes, leaves: this.#leaves },
      ...{ problems: this.#problems, problemCount: this.#count },
    };
  }

  /** Checks that each block is stored whole and matches its hash. */
  async blocks(): Promise<void> {
    const { chain, blocks, dialect } = this.#data;
    const table = chain.table("blocks");
    for await (const hash of this.#keys(
      "blocks",
      (after) => table.range({ ...after, limit: entriesPerYield }),
      table.count(),
    )) {
      this.#blocks += 1;
      this.#try(`block ${toHex(hash)}`, () => {
        const block = decodeBlock(blocks.findBytes(hash)!, dialect.blockForm);
        const isOwn = equalBytes(hashBlock(block, dialect), hash);
        if (!equalBytes(block.hash, hash) || !isOwn) this.#wrong(`block ${toHex(hash)} has another hash`);
      });
    }
  }

  /** Checks that the blocks of the DAG are stored, and the blocks that it refers to. */
  async dag(): Promise<void> {
    const { chain, state, dag, blocks } = this.#data;
    const table = chain.table("blockMetadata");
    const lowest = [...dag.blocksByHeight(0n, dag.nextBlockNumber(), 1)][0]?.height ?? 0n;
    const statesFrom = readForgotten(state.table("roots")) ?? lowest;
    const approved = dag.approvedBlock()?.number ?? lowest;
    for await (const hash of this.#keys(
      "DAG",
      (after) => table.range({ ...after, limit: entriesPerYield }),
      table.count(),
    )) {
      this.#try(`what is known of block ${toHex(hash)}`, () => {
        const block = dag.require(hash);
        const name = `block #${block.number} (${toHex(hash)})`;
        if (!blocks.has(hash)) this.#wrong(`${name} is in the DAG and not stored`);
        // A node that began with another's state has no blocks below those that it was given.
        if (block.number > approved) this.#references(block, name);
        const mayLackState = block.invalid || block.number < statesFrom || block.number < approved;
        if (!mayLackState && !dag.lacksState(hash) && !this.#states.hasRoot(block.postStateHash))
          this.#wrong(`${name} lacks its state ${toHex(block.postStateHash)}`);
      });
    }
    for (const { hash } of dag.blocksByHeight(0n, dag.nextBlockNumber()))
      if (!dag.has(hash)) this.#wrong(`a height names block ${toHex(hash)}, which the DAG does not have`);
    for (const { hash } of dag.latestMessages())
      if (!dag.has(hash)) this.#wrong(`a latest message is block ${toHex(hash)}, which the DAG does not have`);
  }

  #references({ parents, justifications, invalid }: BlockMetadata, name: string): void {
    const { dag } = this.#data;
    for (const parent of parents) if (!dag.has(parent)) this.#wrong(`${name} lacks its parent ${toHex(parent)}`);
    for (const { latestBlockHash } of justifications)
      if (!dag.has(latestBlockHash) && !invalid)
        this.#wrong(`${name} lacks ${toHex(latestBlockHash)}, which it justifies itself by`);
  }

  /** Checks that each leaf matches its hash. */
  async leaves(): Promise<void> {
    const { state, form } = this.#data;
    const table = state.table("cold");
    const read = (after: { readonly from?: Uint8Array }) => table.range({ ...after, limit: entriesPerYield });
    for await (const [hash, bytes] of this.#entries("leaves", read, table.count())) {
      this.#leaves += 1;
      if (!equalBytes(form.leafHash(bytes), hash)) this.#wrong(`leaf ${toHex(hash)} is another one`);
    }
  }

  /** Checks that each recorded state has all its nodes and leaves, and that they match their hashes. */
  async states(): Promise<void> {
    const { state } = this.#data;
    const table = state.table("roots");
    const visited = new Set<string>();
    const total = state.table("history").count() + state.table("changedHistory").count();
    const read = (after: { readonly from?: Uint8Array }) => table.range({ ...after, limit: entriesPerYield });
    for await (const [root] of this.#entries(undefined, read, 0)) {
      if (root.length !== hashBytes) continue;
      this.#roots += 1;
      const pending: NodePlace[] = [{ hash: root, firstByte: undefined }];
      for (let place = pending.pop(); place !== undefined; place = pending.pop()) {
        const { hash } = place;
        if (visited.has(hashKey(hash))) continue;
        visited.add(hashKey(hash));
        await this.#step("states", visited.size, total);
        this.#try(`node ${toHex(hash)}`, () => this.#node(place!, pending));
      }
    }
  }

  #node({ hash, firstByte }: NodePlace, pending: NodePlace[]): void {
    const stored = this.#states.storedNode(hash);
    if (stored === undefined) {
      if (!equalBytes(hash, blake2b256(new Uint8Array(0)))) this.#wrong(`node ${toHex(hash)} of a state is not there`);
      return;
    }
    this.#nodes += 1;
    const { node } = stored;
    if (!equalBytes(blake2b256(node.bytes), hash)) this.#wrong(`node ${toHex(hash)} is another one`);
    const { nodes, leaves } = childrenOf(node);
    const next = nextBytesOf(node);
    for (const [at, target] of nodes.entries()) pending.push({ hash: target, firstByte: firstByte ?? next.nodes[at]! });
    for (const [at, target] of leaves.entries()) this.#leafAt(target, firstByte ?? next.leaves[at]!);
  }

  /** The parts of a leaf that its hash does not cover must fit its place. */
  #leafAt(hash: Uint8Array, firstByte: number): void {
    const { form } = this.#data;
    const isThere = this.#states.hasLeaf(hash);
    if (!isThere) this.#wrong(`leaf ${toHex(hash)} of a state is not there`);
    else if (form.uncoveredKind !== undefined && !isLeafOf(form, this.#states.leafBytes(hash)!, firstByte))
      this.#wrong(`leaf ${toHex(hash)} is of another kind than its place`);
  }

  async *#keys(
    stage: string,
    read: (after: { readonly from?: Uint8Array }) => Iterable<readonly [Uint8Array, Uint8Array]>,
    total: number,
  ): AsyncGenerator<Uint8Array> {
    for await (const [key] of this.#entries(stage, read, total)) yield key;
  }

  /** Some at a time, so that nothing stays open between two turns. */
  async *#entries(
    stage: string | undefined,
    read: (after: { readonly from?: Uint8Array }) => Iterable<readonly [Uint8Array, Uint8Array]>,
    total: number,
  ): AsyncGenerator<readonly [Uint8Array, Uint8Array]> {
    let after: { readonly from?: Uint8Array } = {};
    for (let done = 0; ; ) {
      const some = [...read(after)];
      for (const entry of some) {
        yield entry;
        done += 1;
      }
      const last = some.at(-1)?.[0];
      if (stage !== undefined) await this.#step(stage, done, total, true);
      if (last === undefined || some.length < entriesPerYield) return;
      const from = new Uint8Array(last.length + 1);
      from.set(last);
      after = { from };
    }
  }

  async #step(stage: string, done: number, total: number, isDue = false): Promise<void> {
    this.#looked += 1;
    if (!isDue && this.#looked % entriesPerYield !== 0) return;
    this.#report(stage, done, total);
    await yieldToEventLoop();
    this.#signal.throwIfAborted();
  }

  #try(what: string, work: () => void): void {
    try {
      work();
    } catch (error) {
      this.#wrong(`${what} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  #wrong(text: string): void {
    this.#count += 1;
    if (this.#problems.length < maxReported) this.#problems.push(text);
  }
}
