import type { ChainEvent } from "@vedette/chain";
import { toHex } from "@vedette/crypto";
import { type Block, hashKey, shortHash } from "@vedette/protocol";
import { SimulationFailure } from "./SimulationFailure.js";

/** The oracle's facts about the network. */
export interface InvariantCheckerOptions {
  readonly genesis: Block;
  /** Public keys, as `hashKey`. */
  readonly honest: ReadonlySet<string>;
  /** Receives every block that becomes final on the main chain, lowest first. @throws {SimulationFailure} */
  readonly onFinal: (block: Block) => void;
}

interface Verdict {
  readonly isValid: boolean;
  readonly by: string;
  readonly status: string;
}

/** Sees what all nodes see, and whether they agree. */
export class InvariantChecker {
  readonly #use: InvariantCheckerOptions;
  readonly #blocks = new Map<string, Block>();
  readonly #verdicts = new Map<string, Verdict>();
  /** Blocks of honest validators by key and sequence number. */
  readonly #own = new Map<string, Block>();
  /** The main chain as far as it is final at any node. */
  readonly #final = new Set<string>();
  readonly #deploysOfChain = new Map<string, Block>();
  /** Deploys in final blocks, also those beside the main chain. */
  readonly finalDeploys = new Set<string>();
  top: Block;
  made = 0;
  invalid = 0;

  constructor(use: InvariantCheckerOptions) {
    this.#use = use;
    this.top = use.genesis;
    this.#blocks.set(hashKey(use.genesis.hash), use.genesis);
    this.#final.add(hashKey(use.genesis.hash));
  }

  /** Blocks that any node has judged. */
  get known(): number {
    return this.#blocks.size;
  }

  /** Those that any node has judged or made, genesis first. */
  get blocks(): Iterable<Block> {
    return this.#blocks.values();
  }

  isFinal(hash: Uint8Array): boolean {
    return this.#final.has(hashKey(hash));
  }

  /** A node of an honest validator has made a block. @throws {SimulationFailure} */
  madeBy(name: string, block: Block): void {
    this.made += 1;
    this.#blocks.set(hashKey(block.hash), block);
    if (!this.#use.honest.has(hashKey(block.sender))) return;
    const place = `${hashKey(block.sender)} ${block.sequenceNumber}`;
    const before = this.#own.get(place);
    if (before !== undefined && hashKey(before.hash) !== hashKey(block.hash))
      throw new SimulationFailure(
        "no validator that is honest signs two sides",
        `${name} made ${shortHash(before.hash)} and ${shortHash(block.hash)}, both number ${block.sequenceNumber}`,
      );
    this.#own.set(place, block);
  }

  /** @throws {SimulationFailure} */
  onChainEvent(name: string, event: ChainEvent): void {
    switch (event.type) {
      case "blockAdded":
        this.#judge(event.block, { isValid: true, by: name, status: "Valid" });
        return;
      case "blockRefused":
        if (event.recorded) this.#judge(event.block, { isValid: false, by: name, status: event.status.status });
        return;
      case "blockFinalized":
        for (const { deploy } of event.block.body.deploys) this.finalDeploys.add(hashKey(deploy.signature));
        return;
      case "lastFinalizedChanged":
        this.finalizes(name, event.hash);
        return;
      case "finalityReverted":
        throw new SimulationFailure(
          "finality stays",
          `${name} goes from ${shortHash(event.before.hash)} to ${shortHash(event.now.hash)}`,
        );
      default:
        return;
    }
  }

  /** A node holds a block for the last final one. @throws {SimulationFailure} */
  finalizes(name: string, hash: Uint8Array): void {
    if (this.isFinal(hash)) return;
    const above: Block[] = [];
    let at = this.#blocks.get(hashKey(hash));
    for (; at !== undefined && !this.isFinal(at.hash); at = this.#blocks.get(hashKey(at.parents[0] ?? hash))) {
      above.push(at);
      if (at.parents.length === 0) break;
    }
    if (at === undefined || hashKey(at.hash) !== hashKey(this.top.hash))
      throw new SimulationFailure(
        "finality agrees",
        `${name} finalizes ${shortHash(hash)}, which does not build on ${shortHash(this.top.hash)} (height ${this.top.number})`,
      );
    for (const block of above.reverse()) this.#extend(block);
  }

  #extend(block: Block): void {
    this.#final.add(hashKey(block.hash));
    this.top = block;
    for (const { deploy } of block.body.deploys) {
      const key = hashKey(deploy.signature);
      const before = this.#deploysOfChain.get(key);
      if (before !== undefined)
        throw new SimulationFailure(
          "a deploy is in a chain once",
          `${toHex(deploy.signature).slice(0, 10)} is in ${shortHash(before.hash)} and ${shortHash(block.hash)}`,
        );
      this.#deploysOfChain.set(key, block);
    }
    for (const { validator, stake } of block.body.state.bonds)
      if (stake === 0n && this.#use.honest.has(hashKey(validator)))
        throw new SimulationFailure(
          "no validator that is honest is slashed",
          `${toHex(validator).slice(2, 10)} has no stake in ${shortHash(block.hash)} of height ${block.number}`,
        );
    this.#use.onFinal(block);
  }

  #judge(block: Block, verdict: Verdict): void {
    const key = hashKey(block.hash);
    this.#blocks.set(key, block);
    const before = this.#verdicts.get(key);
    if (before === undefined) {
      this.#verdicts.set(key, verdict);
      if (verdict.isValid) return;
      this.invalid += 1;
      if (this.#use.honest.has(hashKey(block.sender)))
        throw new SimulationFailure(
          "an honest block is valid",
          `${verdict.by} finds ${shortHash(block.hash)} of height ${block.number} to be ${verdict.status}`,
        );
      return;
    }
    if (before.isValid === verdict.isValid) return;
    throw new SimulationFailure(
      "verdicts agree",
      `${shortHash(block.hash)} is ${before.status} to ${before.by} and ${verdict.status} to ${verdict.by}`,
    );
  }
}
