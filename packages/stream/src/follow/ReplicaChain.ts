import { type BlockStatus, type Chain, checkFormat, checkSignature, statusReason } from "@vedette/chain";
import { equalBytes, fromHex, toHex } from "@vedette/crypto";
import { errorText } from "@vedette/errors";
import { type Block, type Bond, decodeBlock, hashBlock } from "@vedette/protocol";
import type { Store } from "@vedette/store";
import { emptyRoot } from "@vedette/tuplespace";
import type { Executor } from "@vedette/workers/threads";
import type { BlockContent, BlockFacts } from "../blockMessage.js";
import { StreamError } from "../StreamError.js";
import type { Verdict } from "../StreamNames.js";
import { type ReplicaPlace, readPlace, writePlace } from "./ReplicaPlace.js";

/** What a replica's chain is written by. */
export interface ReplicaChainOptions {
  /** Whose execution is `statedExecution`. */
  readonly chain: Chain;
  /** Is told of the bonds in a state that was taken, before the block with it is judged. */
  readonly putBonds: (root: Uint8Array, bonds: readonly Bond[]) => void;
  readonly store: Store;
  readonly executor: Pick<Executor, "adopt" | "hasRoot">;
  /** The block that the chain must begin with; any genesis of the shard without. */
  readonly beginning: string | undefined;
}

/** What became of a block. `skipped`: it lies before what this chain began with, and is not needed. */
export type Taken = "taken" | "skipped";

/**
 * Takes blocks that others have executed into a chain of one's own, and believes as little of it as can be: a block is
 * its creator's and keeps all rules that need no execution; what it builds on is here; its state is that which it says,
 * whole, from hashes alone. How far it is stands in the same transaction as what it took.
 *
 * States have another store, and are written first: a kill in between leaves one that the next run finds again.
 */
export class ReplicaChain {
  readonly #options: ReplicaChainOptions;

  constructor(options: ReplicaChainOptions) {
    this.#options = options;
  }

  place(): ReplicaPlace | undefined {
    return readPlace(this.#options.store);
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

  /** @throws {StreamError} `refused`, `gap`, `otherNetwork`, `otherBeginning`, `noBeginning` */
  async take(facts: BlockFacts, content: BlockContent, place: ReplicaPlace): Promise<Taken> {
    const block = this.#blockOf(facts, content);
    const first = this.#options.chain.dag.approvedBlock();
    if (first === undefined) return this.#begin(block, facts, content, place);
    if (block.number < first.number) return this.#skip(place);
    const missing = this.#options.chain.missingDependencies(block);
    if (missing.length > 0) {
      // Beside the block that a snapshot is of stand some that nobody needs.
      if (block.number === first.number) return this.#skip(place);
      throw gap(facts, `block ${toHex(missing[0]!)} is not here, on which it builds`);
    }
    if (facts.verdict === "valid") await this.#takeState(block, facts, content);
    const also = (tables: Parameters<typeof writePlace>[0]) => writePlace(tables, place);
    const { verdict, reason } = facts;
    const wrong = await this.#options.chain.takeJudged({ block, verdict, reason, also });
    if (wrong !== undefined) throw refused(facts, reasonOf(block, wrong));
    return "taken";
  }

  /** A block is valid after all, by who found it invalid. */
  revise(hash: string, place: ReplicaPlace): void {
    const { chain } = this.#options;
    const block = chain.blocks.find(fromHex(hash));
    if (block === undefined) throw new TypeError(`block ${hash} is not stored`);
    chain.takeRevised(block, (tables) => writePlace(tables, place));
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
    const wrong = chain.takeFinal(hash, (tables) => writePlace(tables, place));
    if (wrong !== undefined) throw refused({ ...facts, publisher: "(of a final block)" }, `it is not final: ${wrong}`);
    return "taken";
  }

  #skip(place: ReplicaPlace): Taken {
    this.note(place);
    return "skipped";
  }

  /** The block itself: what it is called, of this network, its creator's. */
  #blockOf(facts: BlockFacts, { entries }: BlockContent): Block {
    const { rules } = this.#options.chain;
    const [first] = entries;
    if (first?.kind !== "block") throw refused(facts, "its message does not begin with a block");
    let block: Block;
    try {
      block = decodeBlock(first.bytes.slice());
    } catch (error) {
      throw refused(facts, `it cannot be read (${errorText(error)})`, error);
    }
    if (block.shardId !== rules.shardName)
      throw new StreamError({ code: "otherNetwork", found: block.shardId.slice(0, 64), expected: rules.shardName });
    if (toHex(block.hash) !== facts.hash) throw refused(facts, "the message has another block");
    if (block.number !== BigInt(facts.number)) throw refused(facts, `it has the number ${block.number}`);
    if (toHex(block.body.state.postStateHash) !== facts.postStateHash) throw refused(facts, "it has another state");
    // That the content is another one is what may be wrong with it.
    const isOtherContent = !equalBytes(hashBlock(block, rules.dialect), block.hash);
    if (isOtherContent && facts.reason !== "InvalidBlockHash") throw refused(facts, "its content has another hash");
    // Genesis is what all agreed on, and nobody's.
    if (block.number === 0n && facts.verdict === "valid") return block;
    const wrong = checkFormat(block) ?? checkSignature(block);
    if (wrong !== undefined) throw refused(facts, wrong);
    if (facts.verdict === "valid") {
      const references = this.#options.chain.checkReferences(block);
      if (references !== undefined) throw refused(facts, references);
    }
    return block;
  }

  async #begin(block: Block, facts: BlockFacts, content: BlockContent, place: ReplicaPlace): Promise<Taken> {
    const { chain, beginning } = this.#options;
    if (block.number > 0n) throw new StreamError({ code: "noBeginning", number: facts.number });
    if (facts.verdict !== "valid" || block.parents.length > 0) throw refused(facts, "no chain begins with it");
    if (beginning !== undefined && beginning !== facts.hash)
      throw new StreamError({ code: "otherBeginning", found: facts.hash, expected: beginning });
    await this.#adopt(block, facts, content, emptyRoot);
    await chain.blocks.prepare(block);
    const approved = { candidate: { block, requiredSignatures: 0 }, signatures: [] };
    chain.adoptImported(approved, [], (tables) => writePlace(tables, place));
    return "taken";
  }

  async #takeState(block: Block, facts: BlockFacts, content: BlockContent): Promise<void> {
    const { chain, executor } = this.#options;
    const base = chain.dag.find(block.parents[0] ?? block.hash)?.postStateHash;
    if (base === undefined) throw gap(facts, "its main parent is not here");
    if (await executor.hasRoot(base)) return this.#adopt(block, facts, content, base);
    if (await executor.hasRoot(block.body.state.postStateHash)) return;
    const first = chain.dag.approvedBlock();
    // It stands beside the block that the chain began with, as others that came with that do, without their states.
    if (first !== undefined && block.number <= first.number) return;
    throw gap(facts, "the state of its main parent is not here");
  }

  async #adopt(block: Block, facts: BlockFacts, { outcome, entries }: BlockContent, base: Uint8Array): Promise<void> {
    const root = block.body.state.postStateHash;
    if (facts.base === null) {
      if (await this.#options.executor.hasRoot(root)) return;
      throw gap(facts, "its publisher did not have its state any more");
    }
    if (facts.base !== toHex(base)) throw refused(facts, "its state is told beside another one than its main parent's");
    const others = entries.slice(1);
    if (others.some(({ kind }) => kind === "block")) throw refused(facts, "its message has several blocks");
    const of = (wanted: string) => others.filter(({ kind }) => kind === wanted).map(({ bytes }) => bytes);
    const answer = await this.#options.executor.adopt({
      ...{ root, base, nodes: of("node"), leaves: of("leaf") },
      ...{ sender: block.sender, sequenceNumber: block.sequenceNumber },
      outcome: outcome.length === 0 ? undefined : outcome,
    });
    if (answer.kind === "refused") throw refused(facts, `its state: ${answer.reason}`);
    this.#options.putBonds(root, answer.bonds);
  }
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
