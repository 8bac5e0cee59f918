import { emptyBytes } from "@vedette/crypto";
import { Block, type Body, f1r3node, hashBlock, hashKey, rnode, type SystemDeploy } from "@vedette/protocol";
import { MemoryStore, tablesOf } from "@vedette/store";
import { Chain } from "../Chain.js";
import type { ChainParts, Consensus } from "../ChainOptions.js";
import type { ChainRules } from "../ChainRules.js";
import type { BlockMetadata } from "../dag/BlockMetadata.js";
import { genesisFirst } from "../dag/firstMessage.js";
import { evidenceTag } from "../evidence/evidenceBytes.js";
import { type F1r3nodeConsensus, f1r3nodeConsensus } from "../f1r3nodeConsensus.js";
import { MemoryFloorCache } from "../finality/f1r3node/FloorCache.js";
import { cliqueFinality } from "../finality/finalizer.js";
import { chooseF1r3nodeParents } from "../forkChoice/f1r3node/chooseF1r3nodeParents.js";
import { floorPreState } from "../merge/f1r3node/parentsState.js";
import { mergeScopes } from "../merge/scope.js";
import { chooseParents } from "../propose/chooseParents.js";
import { justificationsOn, snapshotOn } from "../propose/snapshot.js";
import { arrivalRevisions } from "../revalidation/RevisionRules.js";
import { f1r3node0445 } from "../ruleSets/f1r3node0445.js";
import { referenceChecks } from "../validation/BlockChecks.js";
import type { BlockExecution, ParentsState } from "../validation/BlockExecution.js";
import { FakeExecution } from "./FakeExecution.js";
import { FakeF1r3nodeExecution } from "./FakeF1r3nodeExecution.js";
import { testGenesis, testKey } from "./ProposeNetwork.js";
import { testDeploy } from "./TestDag.js";

const stake = 100;
/** As f1r3node's networks have it. */
const usualParents = 10;
const threshold = 0.1;
/** In parts of a million. */
const tolerance = 100_000n;

/** The rules of a network; `evidence`: rnode's messages, blocks judged by evidence. */
export type RuleKind = "rnode" | "evidence" | "f1r3node";

/** A network, as one node sees it. */
export interface ManyValidatorsPlan {
  readonly kind: RuleKind;
  readonly validators: number;
  /** Blocks that are made at once, by one validator each, and the parents of a block. */
  readonly together: number;
}

/** Milliseconds of a processor. */
export interface StepTimes {
  /** Choosing the parents. */
  readonly forkChoice: number;
  /** All checks, without what execution and merges take. */
  readonly validation: number;
  readonly finality: number;
  /** Storing what became of the block. */
  readonly insertion: number;
}

/** One node of a network of many validators: takes their blocks in, with states that are made up. @spec 40 §5, §7, §8, 61 §13 */
export class ManyValidators {
  readonly chain: Chain;
  readonly #plan: ManyValidatorsPlan;
  readonly #states: FakeExecution;
  readonly #execution: FakeF1r3nodeExecution;
  readonly #times = { executed: 0, validated: 0, finalized: 0 };
  #floors: F1r3nodeConsensus | undefined;
  #made = 0;
  #tips: readonly Uint8Array[];

  constructor(plan: ManyValidatorsPlan) {
    this.#plan = plan;
    const dialect = plan.kind === "f1r3node" ? f1r3node : rnode;
    const stakes = Object.fromEntries(Array.from({ length: plan.validators }, (_, index) => [`v${index}`, stake]));
    const genesis = testGenesis(stakes, plan.kind === "evidence" ? evidenceTag : emptyBytes, dialect);
    const { bonds, postStateHash } = genesis.body.state;
    this.#states = new FakeExecution(postStateHash, bonds);
    this.#execution = new FakeF1r3nodeExecution(this.#states, (hash) => this.chain.blocks.find(hash));
    const rules: ChainRules = {
      ...{
        dialect,
        shardName: "root",
        maximumParents: Math.max(plan.together, usualParents),
        maximumParentDepth: undefined,
      },
      ...{ minimumPhloPrice: 1n, faultToleranceThreshold: threshold, finalizationRate: 1 },
      emptyStateHash: new Uint8Array(32),
    };
    this.chain = new Chain({
      ...{ store: new MemoryStore(tablesOf("chain")), rules, execution: this.#timed(this.#states) },
      ...{ nowMs: () => 1_000_000_000, consensus: (parts: ChainParts) => this.#consensusOf(parts) },
      ...(plan.kind === "f1r3node" ? { firstMessage: genesisFirst } : {}),
    });
    this.chain.insertApproved(genesis);
    this.#tips = [genesis.hash];
  }

  /**
   * The next validators in turn make a block each upon all blocks of the step before; these are taken in one after the
   * other.
   *
   * @returns the duration of each
   */
  async step(): Promise<StepTimes[]> {
    const { validators, together } = this.#plan;
    const begun: { readonly block: Block; readonly forkChoice: number }[] = [];
    for (let index = 0; index < together; index += 1) {
      const name = `v${(this.#made + index) % validators}`;
      const before = processorMs();
      this.#choose(name);
      const forkChoice = processorMs() - before;
      const parents = this.#tips.map((hash) => this.chain.dag.require(hash));
      begun.push({ block: await this.#make(name, parents), forkChoice });
    }
    this.#made += together;
    this.#tips = begun.map(({ block }) => block.hash);
    const times: StepTimes[] = [];
    for (const { block, forkChoice } of begun) times.push({ forkChoice, ...(await this.#take(block)) });
    return times;
  }

  async #take(block: Block): Promise<Omit<StepTimes, "forkChoice">> {
    const times = Object.assign(this.#times, { executed: 0, validated: 0, finalized: 0 });
    const before = processorMs();
    const { status } = await this.chain.process(block, false);
    const all = processorMs() - before;
    if (status.status !== "Valid") throw new TypeError(`a block of the made network is ${status.status}`);
    return {
      validation: times.validated - times.executed,
      finality: times.finalized,
      insertion: all - times.validated - times.finalized,
    };
  }

  #consensusOf(parts: ChainParts): Consensus {
    const { kind } = this.#plan;
    if (kind === "f1r3node")
      this.#floors = f1r3nodeConsensus(parts, {
        ...{ execution: this.#timed(this.#execution), ruleSet: f1r3node0445, cache: new MemoryFloorCache() },
        ...{ epochLength: 1_000_000n, tolerance: async () => tolerance },
      });
    const { checks, finality, ...others } = this.#floors ?? {
      ...{ checks: referenceChecks, finality: cliqueFinality(threshold), revisions: arrivalRevisions },
    };
    const times = this.#times;
    return {
      ...others,
      checks: {
        ...checks,
        async validate(block, context) {
          const before = processorMs();
          const found = await checks.validate(block, context);
          times.validated += processorMs() - before;
          return found;
        },
      },
      finality: {
        findFinalized(dag) {
          const before = processorMs();
          const found = finality.findFinalized(dag);
          times.finalized += processorMs() - before;
          return found;
        },
      },
    };
  }

  /** Counts what execution takes. */
  #timed<Execution extends BlockExecution | FakeF1r3nodeExecution>(execution: Execution): Execution {
    const times = this.#times;
    return new Proxy(execution, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name, target);
        if (typeof value !== "function") return value;
        return async (...args: unknown[]) => {
          const before = processorMs();
          const found: unknown = await value.apply(target, args);
          times.executed += processorMs() - before;
          return found;
        };
      },
    });
  }

  /** Which parents a validator would choose is not what the network is made of: so all rules have the same blocks. */
  #choose(name: string): readonly BlockMetadata[] {
    const { dag, rules } = this.chain;
    const approved = dag.approvedBlock()!;
    const validatorKey = hashKey(testKey(name).publicKey);
    const chooser = { validatorKey, nowMs: 1 };
    if (this.#floors === undefined) return chooseParents(dag, approved, { chooser, rules, emit() {} });
    const votes = dag.latestMessages().map(({ validator, hash }) => ({ validator, block: dag.require(hash) }));
    const sources = { ...this.#floors, dag, rules, ruleSet: f1r3node0445 };
    return chooseF1r3nodeParents(sources, approved, { votes, ownKey: validatorKey });
  }

  /** A block with one deploy of its own. */
  async #make(name: string, parents: readonly BlockMetadata[]): Promise<Block> {
    const { dag } = this.chain;
    const ownKey = testKey(name).publicKey;
    const { justifications, extraBytes, number, sequenceNumber } =
      this.#floors === undefined
        ? snapshotOn(dag, parents, { ownKey, nowMs: 1 }, dag.lastFinalized()!)
        : this.#snapshotOn(parents, ownKey);
    const { rejectedDeploys, stateHash: preStateHash, ...merged } = await this.#mergeOf(parents, justifications);
    const signature = new TextEncoder().encode(`deploy ${number} ${name}`.padEnd(70));
    const deploy = {
      deploy: testDeploy(0, { signature, validAfterBlockNumber: number - 1n }),
      cost: 1n,
      log: [],
      failed: false,
      systemDeployError: "",
    };
    const closing: SystemDeploy = { kind: "closeBlock" };
    const body: Body = {
      state: { preStateHash, postStateHash: emptyBytes, bonds: dag.approvedBlock()!.bonds.bonds, blockNumber: number },
      ...{ deploys: [deploy], systemDeploys: [{ systemDeploy: closing, log: [], error: "" }], extraBytes: emptyBytes },
      ...{ rejectedDeploys, ...merged },
    };
    const fields = {
      ...{ hash: emptyBytes, header: this.#header(parents, number), body, justifications, sender: ownKey },
      ...{ sequenceNumber, signature: emptyBytes, signatureAlgorithm: "secp256k1", shardId: "root", extraBytes },
      form: this.chain.rules.dialect.blockForm,
    };
    const draft = new Block(fields);
    const replayed = await this.#states.replay({ block: draft, preStateHash, invalidBlocks: [] });
    if (replayed.kind !== "replayed") throw new TypeError(replayed.message);
    const state = { ...body.state, postStateHash: replayed.postStateHash };
    const block = { ...fields, body: { ...body, state } };
    return new Block({ ...block, hash: hashBlock(new Block(block), this.chain.rules.dialect) });
  }

  #header(parents: readonly BlockMetadata[], number: bigint): Block["header"] {
    const timestamp = 1_000n + number;
    return { parents: parents.map(({ hash }) => hash), timestamp, version: 1n, extraBytes: emptyBytes };
  }

  #snapshotOn(parents: readonly BlockMetadata[], ownKey: Uint8Array) {
    const { dag } = this.chain;
    const own = dag.require(dag.latestMessage(hashKey(ownKey))!);
    const number = 1n + parents.reduce((most, parent) => (parent.number > most ? parent.number : most), -1n);
    const justifications = justificationsOn(dag, parents[0]!);
    return { justifications, number, sequenceNumber: own.sequenceNumber + 1, extraBytes: emptyBytes };
  }

  async #mergeOf(
    parents: readonly BlockMetadata[],
    justifications: Block["justifications"],
  ): Promise<Pick<Body, "rejectedDeploys" | "appliedFromScope" | "mergeBase"> & Pick<ParentsState, "stateHash">> {
    const { dag } = this.chain;
    if (this.#floors !== undefined) {
      const { floors } = this.#floors;
      await this.#floors.prepare();
      const sources = { ...this.#floors, dag, execution: this.#execution, ruleSet: f1r3node0445 };
      const facts = floors.derive({ parents, justifications });
      const { stateHash, records, applied, mergeBase } = await floorPreState(sources, parents, facts);
      return { stateHash, rejectedDeploys: records, appliedFromScope: applied, ...(mergeBase && { mergeBase }) };
    }
    const [main] = parents;
    if (parents.length === 1) return { stateHash: main!.postStateHash, rejectedDeploys: [] };
    for (const scope of mergeScopes(dag, parents, { justifications, threshold })) {
      const { stateHash } = await this.#states.merge(scope);
      return { stateHash, rejectedDeploys: [] };
    }
    throw new TypeError("there is nothing to merge on");
  }
}

function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
