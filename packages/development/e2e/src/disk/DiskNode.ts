import { join } from "node:path";
import { loadNodeIdentity, toHex } from "@vedette/crypto";
import { type F1r3nodeExecutor, loadForms, type RnodeExecutor, type StateForms, StateReader } from "@vedette/executor";
import { executorHere, stateExecutorOf } from "@vedette/executor/testing";
import { openStateStore, type QueryReaders } from "@vedette/executor/threads";
import { openDataDirectory } from "@vedette/node/machine";
import { SoloValidator, testNetwork } from "@vedette/node/testing";
import type { ApprovedBlock, Block, Dialect } from "@vedette/protocol";
import { rnode } from "@vedette/protocol";
import { BlockQueries } from "@vedette/queries";
import { EventLog } from "@vedette/queries/events";
import { LmdbStore, tablesOf } from "@vedette/store";
import { completeIndex } from "./completeIndex.js";
import { rulesOf, timeAt } from "./diskWorld.js";

/** A validator on a data directory, with all that a node keeps there: made as a node does it, but without a network. */
export class DiskNode implements AsyncDisposable {
  readonly nodeId: string;
  readonly states: LmdbStore;
  readonly store: LmdbStore;
  readonly validator: SoloValidator;
  readonly executor: RnodeExecutor | F1r3nodeExecutor;
  readonly forms: StateForms;
  readonly log: EventLog;
  /** Called when a block of this node is announced to peers. */
  onAnnounced: (block: Block) => void = () => {};
  readonly #release: () => PromiseLike<void>;

  /** @param path the data directory */
  static async open(path: string, dialect: Dialect["name"]): Promise<DiskNode> {
    const directory = await openDataDirectory(path, rnode.name);
    const network = { dialect, forms: await loadForms(dialect) };
    const node = new DiskNode(directory.path, network, () => directory[Symbol.asyncDispose]());
    await node.validator.consensus.prepare?.();
    return node;
  }

  private constructor(
    path: string,
    { dialect, forms }: { readonly dialect: Dialect["name"]; readonly forms: StateForms },
    release: () => PromiseLike<void>,
  ) {
    this.#release = release;
    this.forms = forms;
    const [certificatePath, keyPath] = ["node.certificate.pem", "node.key.pem"].map((file) => join(path, file));
    const place = { certificatePath: certificatePath!, keyPath: keyPath!, isCustomCertificate: false };
    this.nodeId = toHex(loadNodeIdentity(place, timeAt(0)).nodeId);
    this.states = openStateStore({ stateDirectory: join(path, "state") });
    this.executor = stateExecutorOf(dialect, this.states);
    const emptyState = this.executor.makeEmptyState();
    this.store = new LmdbStore(join(path, "chain"), { tables: tablesOf("chain") });
    this.log = new EventLog({ store: this.store, newId: () => new Uint8Array(8), hasOneParent: false });
    this.validator = new SoloValidator("v1", emptyState, {
      ...{ store: this.store, executor: executorHere(this.executor), record: this.log.record },
      ...{ network: testNetwork(dialect), rules: rulesOf(dialect), nowMs: () => timeAt(this.height + 1) },
      proposing: { announce: (block) => this.onAnnounced(block) },
    });
    this.log.open(this.chain.dag, this.chain.rules.faultToleranceThreshold);
    this.validator.proposing.pool.resume(this.chain);
  }

  get chain() {
    return this.validator.chain;
  }

  /** The height of the highest block; -1 without any. */
  get height(): number {
    return Number(this.chain.dag.nextBlockNumber()) - 1;
  }

  /** @throws TypeError when it is not right */
  async adoptGenesis(approved: ApprovedBlock): Promise<void> {
    if (this.chain.blocks.approvedBlock() !== undefined) return;
    const wrong = await this.chain.adoptGenesis(approved);
    if (wrong !== undefined) throw new TypeError(`the genesis is not adopted: ${wrong.status}`);
  }

  /** Brings the index of accounts up to date. */
  async index(): Promise<void> {
    const { chain, store, forms } = this;
    const signals = { isCancelled: () => false, nowMs: () => performance.now(), isOutOfMemory: () => false };
    const reader = new StateReader(this.states, signals, { forms });
    const readers = {
      call: async (method: keyof StateReader, argument: never) => reader[method](argument),
    } as unknown as QueryReaders;
    await completeIndex({ store, chain, blocks: new BlockQueries(chain, 50), readers });
  }

  /** Derives all that a running node derives on demand, and writes it to disk. */
  async deriveAll(): Promise<void> {
    const { dag } = this.chain;
    const { consensus } = this.validator;
    const { floors } = consensus.sync(this.chain);
    if (floors !== undefined)
      for (const { hash } of dag.blocksByHeight(0n, dag.nextBlockNumber())) await floors.seedOf(hash);
    consensus.close?.();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.store.close();
    await this.states.close();
    await this.#release();
  }
}
