import { type BlockMetadata, type BlockStatus, type Chain, restoreBlock, statusReason } from "@vedette/chain";
import { emptyBytes, equalBytes, fromHex, toHex } from "@vedette/crypto";
import type { ExecutorClient } from "@vedette/executor/threads";
import type { Block, Bond } from "@vedette/protocol";
import type { EntryNames } from "@vedette/queries/events";
import type { Store, WritableTables } from "@vedette/store";
import { emptyRoot } from "@vedette/tuplespace";
import type { BlockContent, BlockMessageFacts } from "../blockMessage.js";
import { StreamError } from "../StreamError.js";
import type { BlockVerdict } from "../StreamNames.js";
import { type CheckedBlock, checkBlock, refused } from "./checkBlock.js";
import { StreamJoin } from "./StreamJoin.js";
import { readPlace, type StreamPosition, writePlace } from "./StreamPosition.js";

/** The parts for writing a replica's chain. */
export interface ReplicaChainOptions {
  /** A chain with `statedExecution` as its execution. */
  readonly chain: Chain;
  /** Receives the bonds in a state that was taken, before the block with it is judged. */
  readonly putBonds: (root: Uint8Array, bonds: readonly Bond[]) => void;
  /** As the chain's. */
  readonly store: Store;
  /** Writes what a work does in one transaction, and emits its events afterwards; as `ChainWriteBatch.together`. */
  readonly together: (work: () => Promise<void>) => Promise<void>;
  readonly executor: Pick<ExecutorClient, "adopt" | "hasRoot" | "noteOutcome">;
  /** Names the log's entries after the messages that are taken. */
  readonly names: EntryNames;
  /** The block that the chain must begin with; any genesis of the shard without. */
  readonly beginning: string | undefined;
}

/** The result of taking a block. `skipped`: it lies before the block that this chain began with, and is not needed. */
export type BlockApplyResult = "taken" | "skipped";

/** The distance below a later beginning of the block with the first message to read. */
const heightsBelowBeginning = 32n;
/** Maximum number of remembered blocks with log entries that have no name yet. */
const maxUnnamed = 10_000;

/** The result of taking a block's state, before the other checks of the block. */
type StateAnswer = Awaited<ReturnType<ExecutorClient["adopt"]>>[number];

/**
 * Takes blocks that others have executed into a chain of its own, with as little trust as possible. It checks that a
 * block is its creator's and keeps all rules that need no execution, that its dependencies are here, and that its state
 * is the stated one, complete, from hashes alone. The position in the stream is written in the same transaction as the
 * blocks.
 *
 * States have another store, and are written first: a kill in between leaves some that the next run finds again.
 */
export class ReplicaChain {
  readonly #options: ReplicaChainOptions;
  /** Blocks that came by the stream while entries had no names yet. */
  readonly #unnamed = new Set<string>();
  /** Whether the stream is of this chain. */
  readonly join: StreamJoin;

  constructor(options: ReplicaChainOptions) {
    this.#options = options;
    this.join = new StreamJoin(options.chain.dag);
  }

  place(): StreamPosition | undefined {
    return readPlace(this.#options.store);
  }

  /** The stream is read. @param hasMissed whether messages are kept no longer that were not taken */
  follow(stream: string, hasMissed: boolean): void {
    const { names, store } = this.#options;
    this.join.follow(stream, this.place());
    names.follow(stream);
    if (hasMissed) store.write((tables) => names.lapse(tables));
  }

  /** Messages are taken beside their order, as some were missed: what they make has no names for a while. */
  lapse(): void {
    const { names, store } = this.#options;
    store.write((tables) => names.lapse(tables));
  }

  /** Notes a place where nothing was to be written. */
  note(place: StreamPosition): void {
    this.#options.store.write((tables) => this.#write(tables, place));
  }

  #write(tables: WritableTables, place: StreamPosition): void {
    writePlace(tables, { ...place, isJoined: this.join.isJoined(place.stream) });
  }

  /** Blocks that a message's block builds on and that are neither here nor before what this chain began with. */
  missingOf({ block, facts }: CheckedBlock): readonly string[] {
    const first = this.#options.chain.dag.approvedBlock();
    if (first !== undefined && block.number <= first.number) return [];
    if (first === undefined && facts.verdict === "invalid") return [];
    return this.#options.chain.missingDependencies(block).map(toHex);
  }

  /** As what a block is here; `undefined` where it is not, or something of it was lost. */
  verdictOf(hash: string): BlockVerdict | undefined {
    const found = this.#options.chain.dag.find(fromHex(hash));
    if (found === undefined || this.#isLost(found.hash)) return undefined;
    return found.invalid ? "invalid" : "valid";
  }

  isFinal(hash: string): boolean {
    return this.#options.chain.dag.find(fromHex(hash))?.finalized === true;
  }

  /** Whether the chain has its first block. */
  get hasBegun(): boolean {
    return this.#options.chain.dag.approvedBlock() !== undefined;
  }

  /**
   * Returns the block with the first message to read: some way below a chain's later beginning, since blocks beside
   * that may have been published before it. `undefined` where reading must begin with the stream's first message.
   */
  readsFrom(): string | undefined {
    const { dag } = this.#options.chain;
    const first = dag.approvedBlock();
    if (first === undefined || first.number === 0n) return undefined;
    let lowest = dag.find(first.hash);
    while (lowest !== undefined && lowest.number > first.number - heightsBelowBeginning) {
      const parent: BlockMetadata | undefined = lowest.parents[0] && dag.find(lowest.parents[0]);
      if (parent === undefined) break;
      lowest = parent;
    }
    return lowest && toHex(lowest.hash);
  }

  /**
   * Takes a block in.
   *
   * @param state the result of {@link adopt} for its state; without it, the state is taken now
   * @throws {StreamError} `refused`, `gap`, `otherNetwork`, `otherBeginning`, `noBeginning`, `otherChain`
   */
  async take(checked: CheckedBlock, place: StreamPosition, state?: StateAnswer): Promise<BlockApplyResult> {
    const { facts, block } = checked;
    const first = this.#options.chain.dag.approvedBlock();
    if (first === undefined) return this.#begin(checked, place);
    if (this.#isLost(block.hash)) return this.#restore(checked, place);
    if (block.number === 0n && facts.verdict === "valid") this.join.requireOwnGenesis(facts.hash);
    if (block.number < first.number) return this.#skip(place);
    const missing = this.#options.chain.missingDependencies(block);
    if (missing.length > 0) {
      // Some blocks beside a snapshot's block are not needed.
      if (block.number === first.number) return this.#skip(place);
      throw gap(facts, `block ${toHex(missing[0]!)} is not here, on which it builds`);
    }
    let isStateless = false;
    if (state !== undefined) this.#useState(checked, this.#baseOf(checked), state);
    else if (facts.verdict === "valid") isStateless = (await this.#takeState(checked)) === "stateless";
    const also = (tables: WritableTables) => {
      if (isStateless) tables("statelessBlocks").put(block.hash, emptyBytes);
      this.#write(tables, place);
    };
    const { verdict, reason } = facts;
    const { chain, names } = this.#options;
    names.taking(place);
    try {
      const wrong = await chain.takeJudged({ block, verdict, reason, also });
      if (wrong !== undefined) throw refused(facts, reasonOf(block, wrong));
    } finally {
      names.taking(undefined);
    }
    this.join.see(place.stream, facts.hash);
    if (!names.holdsFor(place.stream) && this.#unnamed.size < maxUnnamed) this.#unnamed.add(facts.hash);
    return "taken";
  }

  /**
   * Takes the states of blocks that follow each other, in one transaction.
   *
   * @returns the answer for each, up to the first with a state that could not be taken
   */
  async adopt(checked: readonly CheckedBlock[]): Promise<readonly StateAnswer[]> {
    return this.#options.executor.adopt(checked.map((one) => stateCall(one, fromHex(one.facts.base!))));
  }

  /** As `ChainWriteBatch.together`; blocks within it have to come with their states. */
  together(work: () => Promise<void>): Promise<void> {
    return this.#options.together(work);
  }

  /** Records that a block is valid after all, according to the publisher that found it invalid. */
  revise(hash: string, place: StreamPosition): void {
    const { chain } = this.#options;
    const block = chain.blocks.find(fromHex(hash));
    if (block === undefined) throw new TypeError(`block ${hash} is not stored`);
    this.#naming(place, () => chain.takeRevised(block, (tables) => this.#write(tables, place)));
  }

  /**
   * A block is the last finalized one.
   *
   * @throws {StreamError} `refused`: it cannot be; `gap`: it is not here; `otherChain`
   */
  takeFinal(facts: { readonly hash: string; readonly number: number }, place: StreamPosition): BlockApplyResult {
    const { chain } = this.#options;
    const hash = fromHex(facts.hash);
    if (!chain.dag.has(hash)) {
      this.join.requireUndecided(facts);
      const first = chain.dag.approvedBlock();
      if (first !== undefined && BigInt(facts.number) <= first.number) return this.#skip(place);
      throw gap(facts, "it is final, and not here");
    }
    const { names } = this.#options;
    const endsDoubt = this.#unnamed.has(facts.hash);
    const also = (tables: WritableTables) => {
      this.#write(tables, place);
      if (endsDoubt) names.hold(tables, place.stream);
    };
    const wrong = this.#naming(place, () => chain.takeFinal(hash, also));
    if (endsDoubt) this.#unnamed.clear();
    if (wrong !== undefined) this.join.requireUndecided(facts);
    if (wrong !== undefined) throw refused({ ...facts, publisher: "(of a final block)" }, `it is not final: ${wrong}`);
    return "taken";
  }

  #naming<Result>(place: StreamPosition, take: () => Result, isFirst = false): Result {
    const { names } = this.#options;
    names.taking(place, isFirst);
    try {
      return take();
    } finally {
      names.taking(undefined);
    }
  }

  #skip(place: StreamPosition): BlockApplyResult {
    this.note(place);
    return "skipped";
  }

  /** The block of a message: {@link checkBlock}. @throws {StreamError} `refused`, `otherNetwork`, `otherDialect` */
  check(facts: BlockMessageFacts, content: BlockContent): CheckedBlock {
    return checkBlock(this.#options.chain, facts, content);
  }

  /** Whether a repair has recorded that a block, or its state, is missing. */
  #isLost(hash: Uint8Array): boolean {
    return this.#options.store.table("missingBlocks").has(hash);
  }

  async #restore(checked: CheckedBlock, place: StreamPosition): Promise<BlockApplyResult> {
    const { facts, block } = checked;
    const { chain, store, executor } = this.#options;
    const isStateHere = facts.verdict !== "valid" || (await executor.hasRoot(block.body.state.postStateHash));
    if (!isStateHere) await (block.parents.length === 0 ? this.#adopt(checked, emptyRoot) : this.#takeState(checked));
    await restoreBlock(store, chain.blocks, block, (tables) => this.#write(tables, place));
    return "taken";
  }

  async #begin(checked: CheckedBlock, place: StreamPosition): Promise<BlockApplyResult> {
    const { block, facts } = checked;
    const { chain, beginning } = this.#options;
    if (block.number > 0n) throw new StreamError({ code: "noBeginning", number: facts.number });
    if (facts.verdict !== "valid" || block.parents.length > 0) throw refused(facts, "no chain begins with it");
    if (beginning !== undefined && beginning !== facts.hash)
      throw new StreamError({ code: "otherBeginning", found: facts.hash, expected: beginning });
    await this.#adopt(checked, emptyRoot);
    await chain.blocks.prepare(block);
    const approved = { candidate: { block, requiredSignatures: 0 }, signatures: [] };
    this.join.begin(place.stream);
    const adopt = () => chain.adoptImported(approved, [], (tables) => this.#write(tables, place));
    this.#naming(place, adopt, true);
    return "taken";
  }

  #baseOf({ facts, block }: CheckedBlock): Uint8Array {
    const base = this.#options.chain.dag.find(block.parents[0] ?? block.hash)?.postStateHash;
    if (base === undefined) throw gap(facts, "its main parent is not here");
    return base;
  }

  /** @throws {StreamError} `gap`: the state that it was made on should be here */
  async #takeState(checked: CheckedBlock): Promise<"here" | "stateless"> {
    const { facts, block } = checked;
    const base = this.#baseOf(checked);
    if (await this.#options.executor.hasRoot(base)) await this.#adopt(checked, base);
    else if (await this.#options.executor.hasRoot(block.body.state.postStateHash)) return "here";
    else if (this.#standsBesideBeginning(block)) {
      await this.#noteOutcome(checked);
      return "stateless";
    } else throw gap(facts, "the state of its main parent is not here");
    return "here";
  }

  /** @throws {StreamError} `refused` */
  async #noteOutcome({ facts, block, content: { outcome } }: CheckedBlock): Promise<void> {
    if (outcome.length === 0) return;
    const { sender, sequenceNumber } = block;
    const call = { postState: block.body.state.postStateHash, sender, sequenceNumber, outcome };
    const wrong = await this.#options.executor.noteOutcome(call);
    if (wrong !== undefined) throw refused(facts, `its outcome: ${wrong}`);
  }

  /**
   * Whether a block is no descendant, by main parents, of the one that the chain began with. A snapshot has the state of
   * that one alone. A message has what its block's state has beside its main parent's, and the states of blocks beside
   * the beginning are not here. No chain of final blocks goes over such a block.
   */
  #standsBesideBeginning({ number, parents }: Pick<BlockMetadata, "number" | "parents">): boolean {
    const { dag } = this.#options.chain;
    const first = dag.approvedBlock();
    if (first === undefined || number <= first.number) return first !== undefined;
    const parent = parents[0] && dag.find(parents[0]);
    if (parent === undefined || equalBytes(parent.hash, first.hash)) return false;
    return parent.number <= first.number || dag.lacksState(parent.hash);
  }

  async #adopt(checked: CheckedBlock, base: Uint8Array): Promise<void> {
    const { facts, block } = checked;
    if (facts.base === null) {
      if (await this.#options.executor.hasRoot(block.body.state.postStateHash)) return;
      throw gap(facts, "its publisher did not have its state any more");
    }
    requireBase(facts, base);
    const [answer] = await this.#options.executor.adopt([stateCall(checked, base)]);
    this.#useState(checked, base, answer!);
  }

  /** @param base the state of its main parent */
  #useState({ facts, block }: CheckedBlock, base: Uint8Array, answer: StateAnswer): void {
    requireBase(facts, base);
    if (answer.kind === "unbased") throw gap(facts, "the state of its main parent is not here");
    if (answer.kind === "refused") throw refused(facts, `its state: ${answer.reason}`);
    this.#options.putBonds(block.body.state.postStateHash, answer.bonds);
  }
}

function requireBase(facts: BlockMessageFacts, base: Uint8Array): void {
  if (facts.base !== toHex(base)) throw refused(facts, "its state is based on another one than its main parent's");
}

function stateCall({ block, content: { entries, outcome } }: CheckedBlock, base: Uint8Array) {
  const of = (wanted: string) => entries.filter(({ kind }) => kind === wanted).map(({ bytes }) => bytes);
  return {
    ...{ root: block.body.state.postStateHash, base, nodes: of("node"), leaves: of("leaf") },
    ...{ sender: block.sender, sequenceNumber: block.sequenceNumber },
    outcome: outcome.length === 0 ? undefined : outcome,
  };
}

function gap({ hash, number }: Pick<BlockMessageFacts, "hash" | "number">, reason: string): StreamError {
  return new StreamError({ code: "gap", hash, number, reason });
}

function reasonOf(block: Block, status: BlockStatus): string {
  const text = status.status === "BlockException" ? status.message : statusReason(block, status);
  return text === undefined ? status.status : `${status.status}: ${text}`;
}
