import { encodePacket, type PacketType, rnode, type StoreItems } from "@vedette/protocol";
import { MemoryStore } from "@vedette/store";
import { Engine } from "../engine/Engine.js";
import type { SyncOptions } from "../engine/SyncOptions.js";
import { rnodeJoin } from "../join/rnode/rnodeJoin.js";
import type { StateExportPort } from "../ports/StatePort.js";
import type { SyncEvent } from "../SyncEvent.js";
import { FakePeers, testPeer } from "./FakePeers.js";
import { testBlock, testHash } from "./testBlock.js";

export const bootstrap = testPeer("bootstrap");
export const one = testPeer("one");
export const genesis = testBlock(0, []);
export const first = testBlock(1, [genesis]);
export const approved = { candidate: { block: genesis, requiredSignatures: 0 }, signatures: [] };
export const page: StoreItems = {
  startPath: [{ hash: testHash("root"), index: undefined }],
  lastPath: [{ hash: testHash("node"), index: undefined }],
  historyItems: [],
  dataItems: [{ key: testHash("leaf"), value: Uint8Array.of(1) }],
};

/** An engine with fake peers and a fake chain. */
export class EngineSetting implements AsyncDisposable {
  readonly peers = new FakePeers(bootstrap, one);
  readonly events: SyncEvent[] = [];
  readonly engine: Engine;
  readonly ended = new AbortController();
  run: Promise<unknown> = Promise.resolve();

  constructor({ begun = false, ...options }: Partial<SyncOptions> & { readonly begun?: boolean } = {}) {
    const stored = new Map([genesis, first].map((block) => [String(block.hash), block]));
    const exporting: StateExportPort = { exportPage: async (_path, _skip, take) => (take > 750 ? undefined : page) };
    this.peers.packetForm = (options.dialect ?? rnode).packetForm;
    this.engine = new Engine({
      beginning: "importState",
      join: rnodeJoin,
      bootstrap,
      shardName: "root",
      dialect: rnode,
      modes: { genesisValidator: false, ceremonyMaster: false },
      peers: this.peers,
      store: new MemoryStore(["bufferedBlocks", "missingBlocks"]),
      blocks: {
        has: (hash) => stored.has(String(hash)),
        get: (hash) => stored.get(String(hash)),
        bytes: (hash) => encodePacket("BlockMessage", stored.get(String(hash))!),
        prepare: async () => {},
        put: () => {},
      },
      dag: {
        has: (hash) => String(hash) === String(genesis.hash),
        latestMessages: () => [genesis.hash],
        latestTimes: () => [genesis.header.timestamp],
        isBonded: () => false,
        stakes: () => new Map(),
        hasSpoken: () => false,
        unpunishedProofs: () => [],
        lastFinalized: () => first.hash,
        slashedDependencies: () => [],
        changes: () => 0,
        revisions: () => 0,
        isDetectedEquivocation: () => false,
        knowsValidator: () => false,
        postState: () => undefined,
        height: () => 0n,
        blocksByHeight: () => [],
      },
      approved: {
        get: () => (begun ? approved : undefined),
        adoptGenesis: async () => ({ kind: "invalid", status: "InvalidTransaction", inDag: false }),
        adoptImported: async () => {},
      },
      validation: { checkForm: () => undefined, process: async (ready) => ready.map(() => ({ kind: "valid" })) },
      stateImport: {
        hasRoot: async () => true,
        missing: async () => [],
        importPage: async () => ({ nextPath: undefined, isNew: true }),
        recordRoot: async () => {},
      },
      stateExport: exporting,
      emit: (event) => this.events.push(event),
      nowMs: () => 1_600_000_000_000,
      times: { approvedRetryMs: 10 },
      ...options,
    });
  }

  async start(): Promise<this> {
    this.run = this.engine.run(this.ended.signal).catch((error: unknown) => error);
    await this.settled();
    return this;
  }

  async settled(): Promise<void> {
    for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve));
  }

  async receive(type: PacketType, message: never | object, from = one): Promise<string[]> {
    this.peers.take();
    await this.engine.handlePacket(from, type, encodePacket(type, message as never));
    await this.settled();
    return this.peers.take().map((said) => `${said.message.type} to ${said.to}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.ended.abort();
    await this.run;
  }
}
