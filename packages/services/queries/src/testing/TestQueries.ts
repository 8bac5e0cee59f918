import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Chain, checkDeploy, refusalText } from "@vedette/chain";
import { readConfig } from "@vedette/config";
import { systemPublicKeys } from "@vedette/execution";
import { loadForms, type StateForms, StateReader } from "@vedette/executor";
import { type QueryReaders, RemoteError } from "@vedette/executor/threads";
import { type Deploy, type Dialect, f1r3node, rnode } from "@vedette/protocol";
import { LmdbStore, MemoryStore, type Store, tablesOf } from "@vedette/store";
import { replayChain } from "@vedette/testing";
import { Accounts } from "../accounts/Accounts.js";
import type { StatusReads } from "../apiQueries.js";
import { type ApiQueries, apiQueriesOf, type ValidatorPart } from "../apiQueries.js";
import { BlockQueries } from "../block/BlockQueries.js";
import type { ProposeAnswer } from "../deploy/ProposeRequests.js";
import { ChainHead } from "../status/ChainHead.js";
import { unexecutedChain } from "./unexecutedChain.js";

const rnodeForms = await loadForms("rnode");

/** In which role the queries are to answer. */
export interface TestRole {
  /** The public key of a validator; absent for an observer. */
  readonly publicKey?: Uint8Array;
  readonly isInDevMode?: boolean;
  readonly isReporting?: boolean;
}

/** A chain that is not followed, with the queries of a node that holds it. */
export class TestQueries implements AsyncDisposable {
  readonly chain: Chain;
  readonly #readers: QueryReaders;
  readonly store: Store;
  readonly #dispose: () => Promise<void>;
  /** The deploys that passed the checks. */
  readonly submitted: Deploy[] = [];
  isRunning = true;
  /** Waits for a head are short. */
  head: ChainHead;
  proposeAnswer: ProposeAnswer | undefined = { kind: "notCreated", status: "NoNewDeploys", sequenceNumber: 49 };

  readonly #dialect: Dialect;

  private constructor(store: Store, readers: QueryReaders, dispose: () => Promise<void>, dialect: Dialect = rnode) {
    this.#readers = readers;
    this.#dialect = dialect;
    this.store = store;
    this.#dispose = dispose;
    this.chain = unexecutedChain(store, dialect);
    this.head = new ChainHead(this.chain.dag, { waitMs: 20 });
  }

  /** Without any block. */
  static empty(): TestQueries {
    return TestQueries.over(readingHere(new MemoryStore(tablesOf("state"))));
  }

  /** Without any block, on an f1r3node network. */
  static emptyF1r3node(): TestQueries {
    const readers = readingHere(new MemoryStore(tablesOf("state")));
    return new TestQueries(new MemoryStore(tablesOf("chain")), readers, async () => undefined, f1r3node);
  }

  /** Without any block, over states that the caller keeps. */
  static over(readers: QueryReaders): TestQueries {
    return new TestQueries(new MemoryStore(tablesOf("chain")), readers, async () => undefined);
  }

  /** As {@link empty}, with the chain's store on disk, with tables of the library. */
  static onDisk(): TestQueries {
    const folder = mkdtempSync(join(tmpdir(), "vedette-queries-"));
    const store = new LmdbStore(folder, { tables: tablesOf("chain") });
    return new TestQueries(store, readingHere(new MemoryStore(tablesOf("state"))), async () => {
      await store[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true, force: true });
    });
  }

  /** With a chain, our own or a recorded one, which is executed first. */
  static async recorded(chain: string, dialect: Dialect = rnode): Promise<TestQueries> {
    const folder = mkdtempSync(join(tmpdir(), "vedette-queries-"));
    await replayChain(chain, folder);
    const store = new LmdbStore(join(folder, "chain"), { tables: tablesOf("chain") });
    const stateStore = new LmdbStore(join(folder, "state"), { tables: tablesOf("state"), readOnly: true });
    const readers = readingHere(stateStore, await loadForms(dialect.name));
    return new TestQueries(
      store,
      readers,
      async () => {
        await stateStore[Symbol.asyncDispose]();
        await store[Symbol.asyncDispose]();
        rmSync(folder, { recursive: true, force: true });
      },
      dialect,
    );
  }

  /** The queries of a node in this role. */
  queries({ publicKey, isInDevMode = false, isReporting = false }: TestRole = {}): ApiQueries {
    const { config } = readConfig({ home: tmpdir(), configFile: "/dev/null", environment: {} });
    const blocks = new BlockQueries(this.chain, 50);
    return apiQueriesOf({
      config: { ...config, ...ofRecorded, "dev-mode": isInDevMode, "api-server.enable-reporting": isReporting },
      dag: this.chain.dag,
      reporting: this.chain.reporting,
      blocks,
      head: this.head,
      accounts: this.accounts(blocks).queries,
      readers: this.#readers,
      queryTimeoutMs: 60_000,
      status: { ...recordedStatus, network: this.#network(publicKey !== undefined) },
      validator: publicKey === undefined ? undefined : this.#validator(publicKey),
      isRunning: () => this.isRunning,
    });
  }

  #network(isValidator: boolean): StatusReads["network"] {
    return this.#dialect === f1r3node
      ? { ...recordedStatus.network, f1r3node: { ...f1r3nodeFacts, isValidator } }
      : recordedStatus.network;
  }

  /** The index of accounts, which is not kept up to date yet. */
  accounts(blocks = new BlockQueries(this.chain, 50)): Accounts {
    return new Accounts({ store: this.store, chain: this.chain, blocks, readers: this.#readers });
  }

  /** Checks as a validator of shard `root` does, and makes no blocks. */
  #validator(publicKey: Uint8Array): ValidatorPart {
    const rules = { shardName: "root", minimumPhloPrice: 1n, forbiddenKeys: systemPublicKeys, dialect: rnode };
    return {
      publicKey,
      deploys: {
        check: (deploy) => {
          const refusal = checkDeploy(deploy, rules);
          return refusal === undefined ? undefined : refusalText(refusal);
        },
        submit: async (deploy) => {
          this.submitted.push(deploy);
          return undefined;
        },
      },
      proposals: {
        propose: async () => this.proposeAnswer ?? { kind: "busy" },
        latestResult: async () => this.proposeAnswer,
      },
    };
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#dispose();
  }
}

/** Reads in this thread: the tests' sources are not what a thread could load. What it throws comes as from a thread. */
function readingHere(store: Store, forms: StateForms = rnodeForms): QueryReaders {
  const signals = { isCancelled: () => false, nowMs: () => performance.now() };
  const reader = new StateReader(store, signals, { forms });
  return {
    call: async (method, argument) => {
      try {
        return reader[method](argument as never) as never;
      } catch (error) {
        const { name, message } = error as Error;
        throw new RemoteError(name, message);
      }
    },
  };
}

/** The facts of the recorded chains of f1r3node. */
const f1r3nodeFacts = {
  ...{ nativeTokenName: "Coin", nativeTokenSymbol: "C", nativeTokenDecimals: 8 },
  epochLength: 10,
};

/** As the recorded networks were configured. */
const ofRecorded = {
  "casper.genesis-block-data.epoch-length": 10,
  "casper.genesis-block-data.quarantine-length": 10,
};

/** The status of the node on which the answers were recorded. */
const recordedStatus: StatusReads = {
  version: "RChain Node 1.0.0-SNAPSHOT (unknown)",
  network: { networkId: "vedette-solo", shardId: "root", minPhloPrice: 1n },
  changes: () => 0,
  now: () => ({
    address: "rnode://bc256695284d2165d69e2c9c386a83d8997bb4c8@127.0.0.1?protocol=41400&discovery=41404",
    version: "RChain Node 1.0.0-SNAPSHOT (unknown)",
    peers: 0,
    nodes: 0,
    peerList: [],
    syncStatus: {
      phase: "following",
      blockNumber: 48n,
      bestPeerBlockNumber: undefined,
      finalizedBlockNumber: 48n,
      progress: { unit: "blocks", done: 48, total: undefined, perSecond: 0 },
      blocksPerSecond: 0,
      secondsLeft: 0,
      peers: 0,
      unvalidatedBlocks: 0,
      revalidatedBlocks: 0,
      lastError: undefined,
    },
  }),
};
