import { emptyBytes, equalBytes } from "@vedette/crypto";
import type { MergedState } from "@vedette/execution";
import type {
  AdoptAnswer,
  AdoptCall,
  ExecutorApi,
  ForgetCall,
  MergeAnswer,
  MergeCall,
  PlayAnswer,
  PlayCall,
  PruneCall,
  ReplayAnswer,
  ReplayCall,
  StatePage,
} from "@vedette/executor";
import {
  Block,
  type Bond,
  decodeStoreItems,
  encodeBlock,
  hashKey,
  type ProcessedDeploy,
  type ProcessedSystemDeploy,
} from "@vedette/protocol";
import type { Store } from "@vedette/store";
import {
  emptyRoot,
  findMissing,
  importItems,
  importStateDiff,
  type PruningStep,
  StatePruning,
  StateStore,
  type WrittenPage,
} from "@vedette/tuplespace";
import { activeOf, bondsOf, type Entries, effectName, effectsIn, Ledger } from "./Ledger.js";
import { type Commit, type KnownLedgers, LedgerStates } from "./LedgerStates.js";

/** The rules that all nodes of a network execute alike. */
export interface LedgerRules {
  /** The state that the first block leads to. */
  readonly first: Entries;
  readonly blocksInEpoch: bigint;
  readonly known: KnownLedgers;
}

const emptyFields = {
  ...{
    hash: emptyBytes,
    justifications: [],
    sender: emptyBytes,
    sequenceNumber: 0,
    signature: emptyBytes,
    signatureAlgorithm: "",
  },
  header: { parents: [], timestamp: 0n, version: 0n, extraBytes: emptyBytes },
  ...{ shardId: "", extraBytes: emptyBytes },
};

/** Executes deploys as changes of a ledger, in the place of Rholang; states, roots and their transfer are the real ones. */
export class LedgerExecutor implements ExecutorApi {
  readonly state: StateStore;
  readonly #states: LedgerStates;
  readonly #rules: LedgerRules;
  readonly #pruning: StatePruning;

  constructor(store: Store, rules: LedgerRules) {
    this.state = new StateStore(store);
    this.#states = new LedgerStates(store, this.state, rules.known);
    this.#rules = rules;
    // During a call, its time does not advance.
    this.#pruning = new StatePruning(store, this.state, () => 0);
  }

  makeEmptyState(): Uint8Array {
    return emptyRoot;
  }

  flush(roots: readonly Uint8Array[]): boolean {
    return roots.every((root) => this.state.hasRoot(root));
  }

  /** Every state is written at once. */
  hold(): void {}

  replay({ block: bytes, preState, invalidBlocks }: ReplayCall): ReplayAnswer {
    const { block, key } = this.#rules.known.blockOf(bytes);
    const before = this.#states.entries(preState);
    const offenders = invalidBlocks.map(({ blockHash, sender }) => `${hashKey(blockHash)} ${hashKey(sender)}`);
    const outcome = this.#rules.known.once(`replay ${key} ${hashKey(preState)} ${offenders.join()}`, () =>
      this.#replayed(block, { preState, before, invalidBlocks }),
    );
    if ("kind" in outcome) return outcome;
    const postStateHash = this.#states.commit(outcome.commit);
    return { kind: "replayed", postStateHash, bonds: outcome.bonds };
  }

  #replayed(
    block: Block,
    { preState, before, invalidBlocks }: Pick<ReplayCall, "preState" | "invalidBlocks"> & { readonly before: Entries },
  ): ReplayAnswer | { readonly commit: Commit; readonly bonds: readonly Bond[] } {
    const ledger = new Ledger(block.parents.length === 0 ? this.#rules.first : before);
    if (block.parents.length === 0) for (const name of ledger.entries.keys()) ledger.changed.add(name);
    for (const [index, stated] of block.body.deploys.entries()) {
      const { cost, failed, systemDeployError } = ledger.execute(stated.deploy);
      if (cost !== stated.cost || failed !== stated.failed || systemDeployError !== stated.systemDeployError)
        return { kind: "failed", message: `replayed otherwise (deploy ${index})` };
    }
    const wrong = this.#system(ledger, block.body.systemDeploys, { number: block.number, invalidBlocks });
    if (wrong !== undefined) return { kind: "exception", message: wrong, isLimit: false };
    return { commit: this.#states.prepare(preState, ledger), bonds: bondsOf(ledger.entries) };
  }

  play({ preState, deploys, tries, systemDeploys, blockData, invalidBlocks, rejectedDeploys }: PlayCall): PlayAnswer {
    const ledger = new Ledger(this.#states.entries(preState));
    const played: ProcessedDeploy[] = [];
    for (const index of new Set(tries.map((one) => one.index))) {
      const deploy = deploys[index]!;
      played.push({ deploy, log: [], ...ledger.execute(deploy) });
    }
    const closing = systemDeploys.map((systemDeploy) => ({ systemDeploy, log: [], error: "" }));
    const message = this.#system(ledger, closing, { number: blockData.blockNumber, invalidBlocks });
    if (message !== undefined) return { kind: "failed", message };
    const postStateHash = this.#states.commit(this.#states.prepare(preState, ledger));
    const bonds = bondsOf(ledger.entries);
    const state = { preStateHash: preState, postStateHash, bonds, blockNumber: blockData.blockNumber };
    const rejected = rejectedDeploys.map((signature) => ({ signature }));
    const body = { state, deploys: played, systemDeploys: closing, extraBytes: emptyBytes, rejectedDeploys: rejected };
    return { kind: "played", block: encodeBlock(new Block({ ...emptyFields, body })), leftOut: [], playedMs: 1 };
  }

  playGenesis(): PlayAnswer {
    return { kind: "failed", message: "the first block of a ledger is given" };
  }

  merge({ baseState, blocks, beside = [] }: MergeCall): MergeAnswer {
    const { known } = this.#rules;
    const all = [...blocks, ...beside].map((bytes) => known.blockOf(bytes));
    const indexes = [...all.keys()].filter((index) => !this.#isExecuted(all[index]!.block));
    if (indexes.length > 0) return { kind: "unexecuted", indexes };
    const before = this.#states.entries(baseState);
    const key = `merge ${hashKey(baseState)} ${all.map((one) => one.key).join()}`;
    const { commit, ...rejected } = known.once(key, () => {
      const decoded = all.map(({ block }) => block);
      const decided = decidedOnLine(decoded.slice(blocks.length), before);
      return this.#merged(baseState, new Ledger(before), { blocks: decoded.slice(0, blocks.length), decided });
    });
    return { kind: "merged", stateHash: this.#states.commit(commit), ...rejected };
  }

  #isExecuted(block: Block): boolean {
    const { preStateHash, postStateHash } = block.body.state;
    return this.state.hasRoot(preStateHash) && this.state.hasRoot(postStateHash);
  }

  /**
   * All deploys of the blocks once more on the base, in the given order; a deploy that cannot be paid is rejected.
   * Failed ones are left out, as in the real one (40 §12.2), and those about which the base has decided.
   */
  #merged(
    baseState: Uint8Array,
    ledger: Ledger,
    { blocks, decided }: { readonly blocks: readonly Block[]; readonly decided: Decided },
  ): Omit<MergedState, "stateHash"> & { readonly commit: Commit } {
    const rejected = new Map<string, Uint8Array>();
    const done = new Set<string>();
    const rejections: { readonly blockHash: Uint8Array; readonly deployId: Uint8Array }[] = [];
    for (const { hash, body } of blocks) {
      for (const { deploy, failed, systemDeployError } of body.deploys) {
        if (failed || systemDeployError !== "") continue;
        const key = hashKey(deploy.signature);
        const isIn = decided.kept.has(effectName(deploy.signature));
        if (decided.rejected.has(key)) rejected.set(key, deploy.signature);
        if (done.has(key) || isIn || decided.rejected.has(key)) {
          // The first of them decides for all.
          rejections.push({ blockHash: hash, deployId: deploy.signature });
          continue;
        }
        done.add(key);
        const before = new Map(ledger.entries);
        const now = ledger.execute(deploy);
        if (!now.failed && now.systemDeployError === "") continue;
        for (const name of ledger.changed) restore(ledger, before, name);
        rejected.set(key, deploy.signature);
        rejections.push({ blockHash: hash, deployId: deploy.signature });
      }
      for (const { systemDeploy } of body.systemDeploys)
        if (systemDeploy.kind === "slash") this.#slashAgain(ledger, body.state.bonds);
    }
    const rejectedDeploys = [...rejected.values()].sort(Buffer.compare);
    return { commit: this.#states.prepare(baseState, ledger), rejectedDeploys, rejections };
  }

  bonds(root: Uint8Array): readonly Bond[] {
    return bondsOf(this.#states.entries(root));
  }

  activeValidators(root: Uint8Array): readonly Uint8Array[] {
    return activeOf(this.#states.entries(root));
  }

  epochLength(): bigint {
    return this.#rules.blocksInEpoch;
  }

  hasRoot(root: Uint8Array): boolean {
    return this.state.hasRoot(root);
  }

  adopt(calls: readonly AdoptCall[]): readonly AdoptAnswer[] {
    return calls.map((given) => {
      importStateDiff(this.state, given);
      return { kind: "adopted", bonds: this.bonds(given.root) };
    });
  }

  /** Executing has shown nothing that is kept. */
  noteOutcome(): undefined {}

  recordRoot(root: Uint8Array): void {
    this.state.recordRoot(root);
  }

  forgetStates({ roots, below }: ForgetCall): void {
    this.#pruning.forget(roots, below);
  }

  forgottenBelow(): bigint | undefined {
    return this.#pruning.forgottenBelow;
  }

  prune({ mayBegin, budgetMs }: PruneCall): PruningStep {
    return this.#pruning.step(mayBegin, budgetMs);
  }

  missing(root: Uint8Array): readonly Uint8Array[] {
    return findMissing(this.state, root).nodes;
  }

  importPage({ startPath, take, page }: StatePage): WrittenPage {
    return importItems(this.state, { startPath, take }, decodeStoreItems(page));
  }

  /** @returns why the block cannot be executed */
  #system(
    ledger: Ledger,
    systemDeploys: readonly ProcessedSystemDeploy[],
    { number, invalidBlocks }: { readonly number: bigint; readonly invalidBlocks: ReplayCall["invalidBlocks"] },
  ): string | undefined {
    for (const { systemDeploy } of systemDeploys) {
      if (systemDeploy.kind === "closeBlock") ledger.closeBlock(number, this.#rules.blocksInEpoch);
      if (systemDeploy.kind !== "slash") continue;
      const { invalidBlockHash } = systemDeploy;
      const offender = invalidBlocks.find(({ blockHash }) => equalBytes(blockHash, invalidBlockHash))?.sender;
      if (offender === undefined) return "Platform failure: Unable to consume results of system deploy";
      ledger.slash(offender);
    }
    return undefined;
  }

  /** In a block that slashes, those without stake are the offenders. */
  #slashAgain(ledger: Ledger, bonds: readonly Bond[]): void {
    for (const { validator, stake } of bonds) if (stake === 0n) ledger.slash(validator);
  }
}

/** The decisions in the state of a merge's base. */
interface Decided {
  /** By `effectName`. */
  readonly kept: ReadonlySet<string>;
  /** By signature. */
  readonly rejected: ReadonlySet<string>;
}

/** By evidence: what is in the base's state, and what the blocks on its main chain gave up. @spec 40 §16.7 */
function decidedOnLine(beside: readonly Block[], base: Entries): Decided {
  if (beside.length === 0) return { kept: new Set(), rejected: new Set() };
  const byHash = new Map(beside.map((block) => [hashKey(block.hash), block]));
  const rejected = new Set<string>();
  for (let at = beside.at(-1); at !== undefined; at = byHash.get(hashKey(at.parents[0] ?? emptyBytes)))
    for (const { signature } of at.body.rejectedDeploys) rejected.add(hashKey(signature));
  return { kept: new Set(effectsIn(base)), rejected };
}

function restore(ledger: Ledger, before: Entries, name: string): void {
  const value = before.get(name);
  if (value === undefined) ledger.entries.delete(name);
  else ledger.entries.set(name, value);
}
