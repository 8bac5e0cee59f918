import {
  type BlockMetadata,
  type BlockStatus,
  type Chain,
  checkFormat,
  checkSignature,
  statusReason,
} from "@vedette/chain";
import { equalBytes, fromHex, toHex } from "@vedette/crypto";
import { errorText } from "@vedette/errors";
import type { EntryNames } from "@vedette/events";
import { type Block, type Bond, decodeBlock, hashBlock, rnodeScala } from "@vedette/protocol";
import type { Store } from "@vedette/store";
import { emptyRoot } from "@vedette/tuplespace";
import type { Executor } from "@vedette/workers/threads";
import { type BlockContent, type BlockFacts, statedNumber, statedState } from "../blockMessage.js";
import { StreamError } from "../StreamError.js";
import type { Verdict } from "../StreamNames.js";
import { type ReplicaPlace, readPlace, writePlace } from "./ReplicaPlace.js";

/** What a replica's chain is written by. */
export interface ReplicaChainOptions {
  /** Whose execution is `statedExecution`. */
  readonly chain: Chain;
  /** Is told of the bonds in a state that was taken, before the block with it is judged. */
  readonly putBonds: (root: Uint8Array, bonds: readonly Bond[]) => void;
  /** As the chain's. */
  readonly store: Store;
  /** Writes what a work does in one transaction, and has it told afterwards; as `HeldChanges.together`. */
  readonly together: (work: () => Promise<void>) => Promise<void>;
  readonly executor: Pick<Executor, "adopt" | "hasRoot">;
  /** Told of each message that is taken. */
  readonly names: EntryNames;
  /** The block that the chain must begin with; any genesis of the shard without. */
  readonly beginning: string | undefined;
}

/** What became of a block. `skipped`: it lies before what this chain began with, and is not needed. */
export type Taken = "taken" | "skipped";

/** A block that is what its message says, and its creator's: nothing of it was written. */
export interface CheckedBlock {
  readonly facts: BlockFacts;
  readonly block: Block;
  readonly content: BlockContent;
}

/** So far below a later beginning lies the block whose message is read first. */
const heightsBelowBeginning = 32n;
/** Whoever has so many waits for a block that becomes final with the others. */
const mostUnnamed = 10_000;

/** What came of a block's state, before the block itself was looked at further. */
type StateAnswer = Awaited<ReturnType<Executor["adopt"]>>[number];

/**
 * Takes blocks that others have executed into a chain of one's own, and believes as little of it as can be: a block is
 * its creator's and keeps all rules that need no execution; what it builds on is here; its state is that which it says,
 * whole, from hashes alone. How far it is stands in the same transaction as what it took.
 *
 * States have another store, and are written first: a kill in between leaves some that the next run finds again.
 */
export class ReplicaChain {
  readonly #options: ReplicaChainOptions;
  /** Blocks that came by the stream while entries had no names yet. */
  readonly #unnamed = new Set<string>();

  constructor(options: ReplicaChainOptions) {
    this.#options = options;
  }

  place(): ReplicaPlace | undefined {
    return readPlace(this.#options.store);
  }

  /** The stream is read. @param hasMissed whether messages are kept no longer that were not taken */
  follow(stream: string, hasMissed: boolean): void {
    const { names, store } = this.#options;
    names.follow(stream);
    if (hasMissed) store.write((tables) => names.lapse(tables));
  }

  /** Notes a place where nothing was to be written. */
  note(place: ReplicaPlace): void {
    this.#options.store.write((tables) => writePlace(tables, place));
  }

  /** As what a block is here; `undefined` where it is not. */
  verdictOf(hash: string): Verdict | undefined {
    const found = this.#options.chain.dag.find(fromHex(hash));
    if (found === undefined) return undefined;
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
   * The block with whose message reading may begin: some way below a chain's later beginning, since blocks beside that
   * may have been told before it. `undefined` where the stream is wanted from its first message.
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
   * @param state what {@link adopt} said of its state; without, that is taken now
   * @throws {StreamError} `refused`, `gap`, `otherNetwork`, `otherBeginning`, `noBeginning`
   */
  async take(checked: CheckedBlock, place: ReplicaPlace, state?: StateAnswer): Promise<Taken> {
    const { facts, block } = checked;
    const first = this.#options.chain.dag.approvedBlock();
    if (first === undefined) return this.#begin(checked, place);
    if (block.number < first.number) return this.#skip(place);
    const missing = this.#options.chain.missingDependencies(block);
    if (missing.length > 0) {
      // Beside the block that a snapshot is of stand some that nobody needs.
      if (block.number === first.number) return this.#skip(place);
      throw gap(facts, `block ${toHex(missing[0]!)} is not here, on which it builds`);
    }
    if (state !== undefined) this.#useState(checked, this.#baseOf(checked), state);
    else if (facts.verdict === "valid") await this.#takeState(checked);
    const also = (tables: Parameters<typeof writePlace>[0]) => writePlace(tables, place);
    const { verdict, reason } = facts;
    const { chain, names } = this.#options;
    names.taking(place);
    try {
      const wrong = await chain.takeJudged({ block, verdict, reason, also });
      if (wrong !== undefined) throw refused(facts, reasonOf(block, wrong));
    } finally {
      names.taking(undefined);
    }
    if (!names.holdsFor(place.stream) && this.#unnamed.size < mostUnnamed) this.#unnamed.add(facts.hash);
    return "taken";
  }

  /**
   * Takes the states of blocks that follow each other, in one transaction.
   *
   * @returns what came of each, up to the first whose state could not be taken
   */
  async adopt(checked: readonly CheckedBlock[]): Promise<readonly StateAnswer[]> {
    return this.#options.executor.adopt(checked.map((one) => stateCall(one, fromHex(one.facts.base!))));
  }

  /** As `HeldChanges.together`; blocks within it have to come with their states. */
  together(work: () => Promise<void>): Promise<void> {
    return this.#options.together(work);
  }

  /** A block is valid after all, by who found it invalid. */
  revise(hash: string, place: ReplicaPlace): void {
    const { chain } = this.#options;
    const block = chain.blocks.find(fromHex(hash));
    if (block === undefined) throw new TypeError(`block ${hash} is not stored`);
    this.#naming(place, () => chain.takeRevised(block, (tables) => writePlace(tables, place)));
  }

  /**
   * A block is the last finalized one.
   *
   * @throws {StreamError} `refused`: it cannot be; `gap`: it is not here
   */
  takeFinal(facts: { readonly hash: string; readonly number: number }, place: ReplicaPlace): Taken {
    const { chain } = this.#options;
    const hash = fromHex(facts.hash);
    if (!chain.dag.has(hash)) {
      const first = chain.dag.approvedBlock();
      if (first !== undefined && BigInt(facts.number) <= first.number) return this.#skip(place);
      throw gap(facts, "it is final, and not here");
    }
    const { names } = this.#options;
    const endsDoubt = this.#unnamed.has(facts.hash);
    const also = (tables: Parameters<typeof writePlace>[0]) => {
      writePlace(tables, place);
      if (endsDoubt) names.hold(tables, place.stream);
    };
    const wrong = this.#naming(place, () => chain.takeFinal(hash, also));
    if (endsDoubt) this.#unnamed.clear();
    if (wrong !== undefined) throw refused({ ...facts, publisher: "(of a final block)" }, `it is not final: ${wrong}`);
    return "taken";
  }

  #naming<Result>(place: ReplicaPlace, take: () => Result, isFirst = false): Result {
    const { names } = this.#options;
    names.taking(place, isFirst);
    try {
      return take();
    } finally {
      names.taking(undefined);
    }
  }

  #skip(place: ReplicaPlace): Taken {
    this.note(place);
    return "skipped";
  }

  /**
   * The block itself: what it is called, of this network, its creator's.
   *
   * @throws {StreamError} `refused`, `otherNetwork`, `otherDialect`
   */
  check(facts: BlockFacts, content: BlockContent): CheckedBlock {
    const { rules } = this.#options.chain;
    const { dialect = rnodeScala.name } = facts;
    if (dialect !== rules.dialect.name)
      throw new StreamError({ code: "otherDialect", found: dialect, expected: rules.dialect.name });
    const [first, ...others] = content.entries;
    if (first?.kind !== "block") throw refused(facts, "its message does not begin with a block");
    if (others.some(({ kind }) => kind === "block")) throw refused(facts, "its message has several blocks");
    if (others.some(({ kind }) => kind === "floors")) throw refused(facts, "its message has floors, which are derived");
    let block: Block;
    try {
      block = decodeBlock(first.bytes.slice(), undefined, rules.dialect.blockForm);
    } catch (error) {
      throw refused(facts, `it cannot be read (${errorText(error)})`, error);
    }
    const checked = { facts, block, content };
    if (block.shardId !== rules.shardName)
      throw new StreamError({ code: "otherNetwork", found: block.shardId.slice(0, 64), expected: rules.shardName });
    if (toHex(block.hash) !== facts.hash) throw refused(facts, "the message has another block");
    if (statedNumber(block.number) !== facts.number) throw refused(facts, `it has the number ${block.number}`);
    if (statedState(block.body.state.postStateHash) !== facts.postStateHash)
      throw refused(facts, "it has another state");
    // That the content is another one is what may be wrong with it.
    const isOtherContent = !equalBytes(hashBlock(block, rules.dialect), block.hash);
    if (isOtherContent && facts.reason !== "InvalidBlockHash") throw refused(facts, "its content has another hash");
    // Genesis is what all agreed on, and nobody's.
    if (block.number === 0n && facts.verdict === "valid") return checked;
    const wrong = checkFormat(block) ?? checkSignature(block, rules.dialect);
    if (wrong !== undefined) throw refused(facts, wrong);
    if (facts.verdict === "valid") {
      const references = this.#options.chain.checkReferences(block);
      if (references !== undefined) throw refused(facts, references);
    }
    return checked;
  }

  async #begin(checked: CheckedBlock, place: ReplicaPlace): Promise<Taken> {
    const { block, facts } = checked;
    const { chain, beginning } = this.#options;
    if (block.number > 0n) throw new StreamError({ code: "noBeginning", number: facts.number });
    if (facts.verdict !== "valid" || block.parents.length > 0) throw refused(facts, "no chain begins with it");
    if (beginning !== undefined && beginning !== facts.hash)
      throw new StreamError({ code: "otherBeginning", found: facts.hash, expected: beginning });
    await this.#adopt(checked, emptyRoot);
    await chain.blocks.prepare(block);
    const approved = { candidate: { block, requiredSignatures: 0 }, signatures: [] };
    const adopt = () => chain.adoptImported(approved, [], (tables) => writePlace(tables, place));
    this.#naming(place, adopt, true);
    return "taken";
  }

  #baseOf({ facts, block }: CheckedBlock): Uint8Array {
    const base = this.#options.chain.dag.find(block.parents[0] ?? block.hash)?.postStateHash;
    if (base === undefined) throw gap(facts, "its main parent is not here");
    return base;
  }

  async #takeState(checked: CheckedBlock): Promise<void> {
    const { facts, block } = checked;
    const { chain, executor } = this.#options;
    const base = this.#baseOf(checked);
    if (await executor.hasRoot(base)) return this.#adopt(checked, base);
    if (await executor.hasRoot(block.body.state.postStateHash)) return;
    const first = chain.dag.approvedBlock();
    // It stands beside the block that the chain began with, as others that came with that do, without their states.
    if (first !== undefined && block.number <= first.number) return;
    throw gap(facts, "the state of its main parent is not here");
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

function requireBase(facts: BlockFacts, base: Uint8Array): void {
  if (facts.base !== toHex(base)) throw refused(facts, "its state is told beside another one than its main parent's");
}

function stateCall({ block, content: { entries, outcome } }: CheckedBlock, base: Uint8Array) {
  const of = (wanted: string) => entries.filter(({ kind }) => kind === wanted).map(({ bytes }) => bytes);
  return {
    ...{ root: block.body.state.postStateHash, base, nodes: of("node"), leaves: of("leaf") },
    ...{ sender: block.sender, sequenceNumber: block.sequenceNumber },
    outcome: outcome.length === 0 ? undefined : outcome,
  };
}

function refused(
  { hash, number, publisher }: Pick<BlockFacts, "hash" | "number" | "publisher">,
  reason: string,
  cause?: unknown,
): StreamError {
  return new StreamError({ code: "refused", hash, number, by: publisher, reason }, { cause });
}

function gap({ hash, number }: Pick<BlockFacts, "hash" | "number">, reason: string): StreamError {
  return new StreamError({ code: "gap", hash, number, reason });
}

function reasonOf(block: Block, status: BlockStatus): string {
  const text = status.status === "BlockException" ? status.message : statusReason(block, status);
  return text === undefined ? status.status : `${status.status}: ${text}`;
}
