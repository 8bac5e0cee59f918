import { fromHex } from "@vedette/crypto";
import { dropOldest } from "@vedette/errors";
import { type Block, hashKey, type RejectedDeploy } from "@vedette/protocol";
import {
  applyItems,
  combineSets,
  type MergeChain,
  MergeError,
  mergeChains,
  type NumberChanges,
  noEventSets,
  type StateStore,
  StoredItems,
} from "@vedette/tuplespace";
import { ExecutionError } from "../../ExecutionError.js";
import { blockDeploys } from "./blockDeploys.js";
import { mergeDeploys, type ScopeOutcome } from "./mergeDeploys.js";

/** The blocks to merge, and their base. @spec 61 §12.3 */
export interface MergedBlocks {
  readonly baseState: Uint8Array;
  /** In ascending order of their hashes. */
  readonly merged: readonly Block[];
  /** The base's own blocks since the parents parted. */
  readonly lineage: readonly Block[];
  /** `hashKey`s of signatures with effects in the main parent's state. */
  readonly settled: ReadonlySet<string>;
  readonly lateUpTo: bigint;
  readonly recorded: readonly RejectedDeploy[];
  /** How often deploys were given up before, by hex of the signature. @spec 61 §24.1 */
  readonly priorRejections: ReadonlyMap<string, number>;
}

/** The state that several parents leave together. @spec 61 §12 */
export interface MergedScopeState extends Omit<ScopeOutcome, "kept"> {
  readonly stateHash: Uint8Array;
}

/** Bounds of a merge. */
export interface ScopeLimits {
  /** More chains than this are not merged: each is compared with each. */
  readonly maxChains?: number;
  /** The number of blocks with chains that are cached for the next merge. */
  readonly rememberedBlocks?: number;
}

const defaultMostChains = 2_000;
const defaultRememberedBlocks = 64;

/**
 * Merges the states of blocks as f1r3node does.
 *
 * Neighbouring blocks merge nearly the same blocks, so what a block contributes is remembered for a while.
 *
 * @spec 61 §12.3 (steps 4 to 13), §12.7
 */
export class ScopeMerger {
  private readonly states: StateStore;
  private readonly numbersOf: (block: Block) => readonly NumberChanges[] | undefined;
  private readonly limits: Required<ScopeLimits>;
  private readonly remembered = new Map<string, readonly MergeChain[]>();

  /**
   * @param numbersOf finds the changes of number channels by each deploy of a block; `undefined` if they are not known
   * here
   */
  constructor(
    states: StateStore,
    numbersOf: (block: Block) => readonly NumberChanges[] | undefined,
    { maxChains = defaultMostChains, rememberedBlocks = defaultRememberedBlocks }: ScopeLimits = {},
  ) {
    this.states = states;
    this.numbersOf = numbersOf;
    this.limits = { maxChains, rememberedBlocks };
  }

  /**
   * Puts what can be kept of the blocks on top of the base state, and commits the state that comes out.
   *
   * @throws {MergeError} `mergeableMissing` when a block was not executed here; `tooManyOptions`; the others when the
   *   logs and states of the blocks do not fit together
   * @throws {ExecutionError} `mergeTooLarge`
   * @cost grows with the events of the blocks, with the square of the number of deploys, and with the number of ways to
   *   resolve conflicts, which is bounded
   */
  merge({ baseState, merged, lineage, settled, lateUpTo, recorded, priorRejections }: MergedBlocks): MergedScopeState {
    const chains: MergeChain[] = [];
    for (const block of merged) {
      chains.push(...this.chainsOf(block));
      if (chains.length > this.limits.maxChains)
        throw new ExecutionError({ code: "mergeTooLarge", blocks: merged.length, most: this.limits.maxChains });
    }
    const events = lineage.flatMap((block) => this.chainsOf(block)).map((chain) => chain.events);
    const { kept, ...outcome } = mergeDeploys({
      chains,
      lineage: events.reduce(combineSets, noEventSets),
      base: new StoredItems(this.states, baseState),
      isSettled: (signature) => settled.has(hashKey(fromHex(signature))),
      lateUpTo,
      descends: descentAmong(merged),
      recorded,
      priorRejections,
    });
    return { ...outcome, stateHash: applyItems(this.states, baseState, kept.flat()) };
  }

  private chainsOf(block: Block): readonly MergeChain[] {
    const key = hashKey(block.hash);
    let chains = this.remembered.get(key);
    if (chains === undefined) {
      const { preStateHash, postStateHash: postState } = block.body.state;
      const numbers = this.numbersOf(block);
      if (numbers === undefined) throw new MergeError({ code: "mergeableMissing", postState });
      const before = new StoredItems(this.states, preStateHash);
      const after = new StoredItems(this.states, postState);
      const source = { hash: block.hash, number: block.number, postState };
      chains = mergeChains(blockDeploys(block, numbers), source, { before, after });
    }
    // The last used entry is last; the first is dropped first.
    this.remembered.delete(key);
    this.remembered.set(key, chains);
    dropOldest(this.remembered, this.limits.rememberedBlocks);
    return chains;
  }
}

/**
 * Whether one of these blocks descends from another one: between two blocks of a scope there are only blocks of it.
 */
function descentAmong(blocks: readonly Block[]): (block: Uint8Array, ancestor: Uint8Array) => boolean {
  const parents = new Map(blocks.map((block) => [hashKey(block.hash), block.parents.map(hashKey)]));
  const pasts = new Map<string, ReadonlySet<string>>();
  const pastOf = (key: string): ReadonlySet<string> => {
    let past = pasts.get(key);
    if (past === undefined) {
      const walked = new Set([key]);
      for (const one of walked) for (const parent of parents.get(one) ?? []) walked.add(parent);
      pasts.set(key, (past = walked));
    }
    return past;
  };
  return (block, ancestor) => pastOf(hashKey(block)).has(hashKey(ancestor));
}
