import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type BlockExecution, Chain, type ChainRules, checkFormat, checkSignature } from "@vedette/chain";
import { createNodeCertificate, fromHex, toHex } from "@vedette/crypto";
import { Network, type NetworkEvent, type Peer } from "@vedette/network";
import {
  type ApprovedBlock,
  type Block,
  decodeApprovedBlock,
  decodeBlock,
  decodeStoreItems,
  hashKey,
  rejectedIdsOf,
  rnode,
} from "@vedette/protocol";
import { MemoryStore, tablesOf } from "@vedette/store";
import { chainDirectory, lengthPrefixed, recordedBlocks } from "@vedette/testing";
import { exportItems, findMissing, importItems, StateStore } from "@vedette/tuplespace";
import { Engine } from "../engine/Engine.js";
import type { SyncOptions } from "../engine/SyncOptions.js";
import { rnodeJoin } from "../join/rnode/rnodeJoin.js";
import type { BlockOutcome } from "../ports/ChainPort.js";
import type { SyncEvent } from "../SyncEvent.js";

/** A chain with its state, our own or one that rnode recorded. */
export interface Recording {
  readonly name: string;
  readonly approved: ApprovedBlock;
  readonly blocks: readonly Block[];
  readonly rules: ChainRules;
  /** Pages of the last finalized block's state. */
  readonly statePages: readonly Uint8Array[];
}

/** @throws Error where a recording is not there */
export function readRecording(name: string): Recording {
  const directory = chainDirectory(name);
  const network = JSON.parse(readFileSync(join(directory, "network.json"), "utf8"));
  return {
    name,
    approved: decodeApprovedBlock(readFileSync(join(directory, "approved-block.bin")), rnode.blockForm),
    blocks: recordedBlocks(name).map(({ bytes }) => decodeBlock(bytes, rnode.blockForm)),
    rules: {
      dialect: rnode,
      shardName: network.shard,
      maximumParents: network.maxNumberOfParents,
      maximumParentDepth: undefined,
      minimumPhloPrice: 1n,
      faultToleranceThreshold: network.faultToleranceThreshold,
      finalizationRate: 1,
      emptyStateHash: fromHex("9619d9a34bdaf56d5de8cfb7c2304d63cd9e469a0bfc5600fd2f5b9808e290f1"),
    },
    statePages: lengthPrefixed(readFileSync(join(directory, "state-lfb.bin"))),
  };
}

/** Reports for every block that its execution led to the state that the block contains. */
export class TrustedExecution implements BlockExecution {
  readonly #bondsAt = new Map<string, Block["body"]["state"]["bonds"]>();
  /** Receives each block. */
  replayed: (block: Block) => void = () => undefined;
  /** Where a block leads; what it states without. */
  leadsTo: (block: Block) => Uint8Array = ({ body }) => body.state.postStateHash;
  async parentsPostState(block: Block) {
    return { stateHash: block.body.state.preStateHash, rejectedDeploys: rejectedIdsOf(block.body) };
  }
  async replay({ block }: { readonly block: Block }) {
    this.replayed(block);
    this.#bondsAt.set(toHex(block.body.state.postStateHash), block.body.state.bonds);
    return { kind: "replayed", postStateHash: this.leadsTo(block) } as const;
  }
  async bonds(stateHash: Uint8Array) {
    return this.#bondsAt.get(toHex(stateHash)) ?? [];
  }
}

/** The parts of a node that survive its process. */
export class TestDisk {
  readonly chain = new MemoryStore(tablesOf("chain"));
  readonly state = new StateStore(new MemoryStore(tablesOf("state")));
  readonly identity = createNodeCertificate(Date.now());
  /** Free ones at first; a node that starts again is found where it was. */
  ports = { protocolPort: 0, discoveryPort: 0 };
}

// All recordings lie in the past of this clock.
const laterMs = 10 * 365 * 86_400_000;

/** A node on the loopback interface that validates all but what needs execution. */
export class TestSyncNode implements AsyncDisposable {
  readonly chain: Chain;
  readonly network: Network;
  readonly engine: Engine;
  readonly disk: TestDisk;
  readonly events: SyncEvent[] = [];
  readonly networkEvents: NetworkEvent[] = [];
  readonly #ended = new AbortController();
  /** Is given each packet first. @returns whether it is nothing for the node itself */
  also: (peer: Peer, typeId: string, content: Uint8Array) => Promise<boolean> = async () => false;
  #running: Promise<unknown> = Promise.resolve();
  #changed: (() => void)[] = [];

  constructor(recording: Recording, options: Partial<SyncOptions> = {}, disk = new TestDisk()) {
    this.disk = disk;
    const { dialect } = recording.rules;
    const nowMs = () => Date.now() + laterMs;
    const { nodeId, certificatePem, privateKeyPem } = disk.identity;
    this.chain = new Chain({
      ...{ store: disk.chain, rules: recording.rules, execution: new TrustedExecution(), nowMs },
    });
    this.network = new Network({
      ...{ certificate: certificatePem, privateKey: privateKeyPem, networkId: "test", dialect, nowMs },
      local: { id: toHex(nodeId), host: "127.0.0.1", ...disk.ports },
      bindHost: "127.0.0.1",
      allowPrivateAddresses: true,
      discoveryIntervalMs: 500,
      bootstrap: options.bootstrap,
      emit: (event) => this.networkEvents.push(event),
    });
    this.engine = new Engine({
      beginning: "importState",
      join: rnodeJoin,
      bootstrap: undefined,
      shardName: recording.rules.shardName,
      dialect,
      modes: { genesisValidator: false, ceremonyMaster: false },
      peers: this.network,
      questions: this.network,
      store: disk.chain,
      emit: (event) => {
        this.events.push(event);
        for (const resolve of this.#changed.splice(0)) resolve();
      },
      nowMs,
      times: { approvedRetryMs: 20, maintenanceMs: 100, retrieverMs: 100 },
      ...chainPorts(this.chain),
      ...statePorts(disk.state),
      ...options,
      ranges: { lookMs: 20, ...options.ranges },
    });
  }

  get peer(): Peer {
    return this.network.local;
  }

  /** Listens and runs; `failure` is why the engine ended, if it did. */
  async start(): Promise<this> {
    await this.network.start(async (peer, typeId, content) => {
      if (!(await this.also(peer, typeId, content))) await this.engine.handlePacket(peer, typeId, content);
    });
    const { protocolPort, discoveryPort } = this.peer;
    this.disk.ports = { protocolPort, discoveryPort };
    this.#running = this.engine.run(this.#ended.signal).catch((error: unknown) => error);
    return this;
  }

  /** Why the engine ended; waits until it has. */
  get failure(): Promise<unknown> {
    return this.#running;
  }

  /** Waits, without polling, until something holds that events can change. */
  async until(holds: () => boolean): Promise<void> {
    while (!holds()) await new Promise<void>((resolve) => this.#changed.push(resolve));
  }

  /** Has the recorded chain, as if it had followed the network. */
  async load(recording: Recording): Promise<this> {
    for (const page of recording.statePages) {
      const { historyItems, dataItems } = decodeStoreItems(page);
      this.disk.state.putItems(historyItems, dataItems);
    }
    this.chain.adoptImported(recording.approved, []);
    let waiting = recording.blocks.slice(1);
    for (let before = waiting.length + 1; waiting.length < before; ) {
      before = waiting.length;
      const left: Block[] = [];
      for (const block of waiting)
        if (this.chain.missingDependencies(block).length > 0) left.push(block);
        else {
          this.chain.blocks.put(block);
          await this.chain.process(block, false);
        }
      waiting = left;
    }
    return this;
  }

  /** Ends as a kill would, except that peers receive a disconnect. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#ended.abort();
    await this.network[Symbol.asyncDispose]();
    await this.#running;
  }
}

/** The ports of a chain that the engine needs. */
export function chainPorts(chain: Chain): Pick<SyncOptions, "blocks" | "dag" | "approved" | "validation"> {
  const { dag, equivocations, blocks } = chain;
  return {
    blocks: {
      has: (hash) => blocks.has(hash),
      get: (hash) => blocks.find(hash),
      bytes: (hash) => blocks.findBytes(hash),
      prepare: (block) => blocks.prepare(block),
      put: (block) => blocks.put(block),
    },
    dag: {
      has: (hash) => dag.has(hash),
      latestMessages: () => dag.latestBlocks().map(({ hash }) => hash),
      latestTimes: () => dag.latestBlocks().flatMap(({ invalid, timestamp }) => (invalid ? [] : [timestamp])),
      unpunishedProofs: () => dag.unpunishedProofs(),
      lastFinalized: () => dag.lastFinalized()?.hash,
      slashedDependencies: (block) => chain.slashedDependencies(block),
      changes: () => dag.changes,
      revisions: () => dag.revisedCount,
      isDetectedEquivocation: (hash) => equivocations.isDetectedAnywhere(hash),
      knowsValidator: (key) => dag.latestMessage(hashKey(key)) !== undefined,
      isBonded: (key) => dag.isBonded(hashKey(key)),
      stakes: () => dag.lastFinalized()?.bonds.stakes ?? new Map(),
      hasSpoken: (validatorKey) => dag.hasSpoken(validatorKey),
      postState: (hash) => dag.find(hash)?.postStateHash,
      height: () => dag.nextBlockNumber() - 1n,
      blocksByHeight: (from, to) => dag.blocksByHeight(from, to),
    },
    approved: {
      get: () => blocks.approvedBlock(),
      async adoptGenesis(approved): Promise<BlockOutcome> {
        const wrong = await chain.adoptGenesis(approved);
        return wrong === undefined ? { kind: "valid" } : { kind: "invalid", status: wrong.status, inDag: false };
      },
      adoptImported: async (approved, others) => chain.adoptImported(approved, others),
    },
    validation: {
      checkForm: (block) =>
        checkFormat(block) ?? checkSignature(block, chain.rules.dialect) ?? chain.checkReferences(block),
      process: async (ready) =>
        (await chain.processTogether(ready)).map(({ status, inserted }): BlockOutcome => {
          if (status.status === "Valid") return { kind: "valid" };
          if (status.status === "BlockException") return { kind: "failed", reason: status.message };
          return { kind: "invalid", status: status.status, inDag: inserted };
        }),
    },
  };
}

function statePorts(state: StateStore): Pick<SyncOptions, "stateImport" | "stateExport"> {
  return {
    stateImport: {
      // Execution is trusted here and commits no states, so blocks are never held up for one.
      hasRoot: async () => true,
      missing: async (root) => findMissing(state, root).nodes,
      importPage: async (startPath, take, page) => importItems(state, { startPath, take }, page),
      recordRoot: async (root) => state.recordRoot(root),
    },
    stateExport: {
      exportPage: async (startPath, skip, take) => exportItems(state, startPath, { skip, take }),
    },
  };
}
