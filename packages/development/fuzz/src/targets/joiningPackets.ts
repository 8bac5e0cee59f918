import { setImmediate } from "node:timers/promises";
import { Chain, type ChainRules } from "@vedette/chain";
import { f1r3nodeConsensusRules, f1r3nodeParts, type TestValidator } from "@vedette/chain/testing";
import { blake2b256 } from "@vedette/crypto";
import { approvedBlockOf } from "@vedette/executor";
import {
  type Block,
  encodeBlock,
  encodePacket,
  type FloorSeed,
  type PacketCodec,
  type PacketContents,
  type PacketType,
  packetTypes,
  rnode,
  type StoreItems,
} from "@vedette/protocol";
import { MemoryStore, tablesOf } from "@vedette/store";
import { Engine, f1r3nodeJoin, rnodeJoin, type SyncEvent, type SyncOptions } from "@vedette/sync";
import { chainPorts, FakePeers, type SentMessage, testPeer } from "@vedette/sync/testing";
import { exportItems, findMissing, importItems, memoryStateStore } from "@vedette/tuplespace";
import { buildTree } from "@vedette/tuplespace/testing";
import fc from "fast-check";
import { propertyTarget } from "../driver/propertyTarget.js";
import { must } from "../driver/Target.js";
import { floorPorts } from "./floorPorts.js";
import { type Liar, liedBlock, lieNames } from "./forgedBlock.js";
import { ManualClock } from "./listeningNode.js";
import { type RuledNetwork, ruledNetworks, ruleNames } from "./ruledNetworks.js";

const rnodeRules: ChainRules = {
  ...{ dialect: rnode, shardName: "root", maximumParents: 1, maximumParentDepth: undefined },
  ...{ minimumPhloPrice: 1n, faultToleranceThreshold: 0, finalizationRate: 1, emptyStateHash: new Uint8Array(32) },
};
const types = Object.keys(packetTypes) as PacketType[];
const bootstrap = testPeer("bootstrap");
const liar = testPeer("liar");

/** The chain that a network is joined at, and its bootstrap's data. */
interface Joined {
  readonly genesis: Block;
  readonly blocks: readonly Block[];
  readonly approved: Block;
  readonly next: Block;
  /** A validator that has the whole chain. */
  readonly server: TestValidator;
  /** The floors that the bootstrap sends, where there are any. */
  readonly floors: SyncOptions["floors"];
  readonly floorSeed: FloorSeed | undefined;
}

const ruled = ruledNetworks({ v1: 100, v2: 100 });
const networks = {
  arrival: await joinedNetwork(ruled.arrival),
  evidence: await joinedNetwork(ruled.evidence),
  floors: await joinedNetwork(ruled.floors),
};
const state = stateOfTree();

const anyLie = fc.record({
  /** How many of the bootstrap's answers come before. */
  after: fc.nat({ max: 12 }),
  kind: fc.constantFrom("block", "block", "approved", "candidate", "page", "page", "bytes", "floors", "entry"),
  block: fc.nat({ max: 5 }),
  lies: fc.uniqueArray(fc.constantFrom(...lieNames), { maxLength: 2 }),
  page: fc.constantFrom("empty", "halved", "doubled", "swapped", "elsewhere"),
  type: fc.constantFrom(...types),
  bytes: fc.uint8Array({ maxLength: 20 }),
  times: fc.constantFrom(1, 1, 1, 12),
});
type Lie = typeof anyLie extends fc.Arbitrary<infer T> ? T : never;

/** A node without a chain, with an honest bootstrap; another peer sends it anything meanwhile. */
export const joiningPackets = propertyTarget({
  name: "joining-packets",
  about: "whatever a stranger sends, a joining node gets its chain from its bootstrap and takes the next block",
  cost: "expensive",
  files: ["sync/engine/", "sync/join/", "sync/ceremony/GenesisValidator.js", "tuplespace/statePages/"],
  values: fc.record({
    rule: fc.constantFrom(...ruleNames),
    beginning: fc.constantFrom("importState" as const, "importState" as const, "replayAll" as const),
    lies: fc.array(anyLie, { minLength: 1, maxLength: 6 }),
  }),
  check: async ({ rule, beginning, lies }) => {
    const joiner = new Joiner(networks[rule], beginning);
    await joiner.join(lies);
    await joiner.checkNext();
    await joiner.end();
  },
});

/** @spec 61 §18 */
const depths = { parentDepth: 15n, depthBuffer: 10n };

class Joiner {
  readonly #network: Joined;
  readonly #chain: Chain;
  readonly #clock = new ManualClock();
  readonly #peers = new FakePeers(liar, bootstrap);
  readonly #events: SyncEvent[] = [];
  readonly #states = memoryStateStore();
  readonly #engine: Engine;
  readonly #ended = new AbortController();
  #end: unknown;
  #answers = 0;

  constructor(network: Joined, beginning: "importState" | "replayAll") {
    this.#network = network;
    const store = new MemoryStore(tablesOf("chain"));
    const nowMs = () => this.#clock.nowMs;
    const { execution, dialect, f1r3node: isF1r3node } = network.server;
    const consensus = isF1r3node && f1r3nodeParts(execution, store);
    const rules = { ...rnodeRules, ...(consensus && f1r3nodeConsensusRules) };
    this.#chain = new Chain({ store, rules, execution, nowMs, ...consensus?.chain });
    const made = consensus?.made();
    this.#peers.packetForm = dialect.packetForm;
    const ports = floorPorts(this.#chain, made);
    this.#engine = new Engine({
      ...{ beginning, bootstrap, shardName: "root", dialect, peers: this.#peers, store, nowMs },
      modes: { genesisValidator: false, ceremonyMaster: false },
      ...chainPorts(this.#chain),
      ...ports,
      join: ports === undefined ? rnodeJoin : f1r3nodeJoin({ ...depths, ...ports }),
      approved: {
        ...approvedBlockOf(this.#chain, made?.cache),
        // The genesis of the test has no deploys to replay.
        adoptGenesis: async (approved) => {
          this.#chain.adoptImported(approved, []);
          return { kind: "valid" };
        },
      },
      // The executor of the test has all states; the tree represents that of the approved block.
      stateImport: {
        hasRoot: async () => true,
        missing: async () => findMissing(this.#states, state.root).nodes,
        importPage: async (startPath, take, page) => importItems(this.#states, { startPath, take }, page),
        recordRoot: async () => {},
      },
      stateExport: { exportPage: async () => undefined },
      emit: (event) => this.#events.push(event),
      timers: this.#clock,
      statePageNodes: 4,
    });
  }

  /** @throws {Mismatch} where it does not get to its chain */
  async join(lies: readonly Lie[]): Promise<void> {
    const run = this.#engine.run(this.#ended.signal);
    run.then(
      () => (this.#end = "ended"),
      (error: unknown) => (this.#end = error),
    );
    await this.#send(lies, 0);
    for (let turn = 0; turn < 400 && !this.#isOver; turn += 1) {
      for (let calm = 0; calm < 3; calm += 1) await setImmediate();
      const said = this.#peers.take().filter(({ to }) => to !== "liar");
      if (said.length === 0) await this.#clock.pass(500);
      for (const one of said) {
        await this.#answer(one);
        this.#answers += 1;
        await this.#send(lies, this.#answers);
      }
    }
    const events = () => `${String(this.#end)}; events: ${this.#events.map(({ type }) => type).slice(-30)}`;
    must(this.#engine.status().state === "running", () => `a node joins through an honest bootstrap: ${events()}`);
  }

  /** @throws {Mismatch} */
  async checkNext(): Promise<void> {
    const { blocks, next } = this.#network;
    const { dag } = this.#chain;
    for (let turn = 0; turn < 60 && !dag.has(next.hash); turn += 1) {
      for (const block of [...blocks, next]) if (!dag.has(block.hash)) await this.#receiveBlock(block);
      await this.#clock.pass(30_000);
    }
    const found = dag.find(next.hash);
    must(
      found !== undefined,
      () => `it takes the next block; events: ${this.#events.map(({ type }) => type).slice(-30)}`,
    );
    must(!found.invalid, "the next block is valid to it");
  }

  async end(): Promise<void> {
    this.#ended.abort();
    await setImmediate();
    must(!(this.#end instanceof TypeError || this.#end instanceof RangeError), () => `the engine ended: ${this.#end}`);
  }

  get #isOver(): boolean {
    return this.#end !== undefined || this.#engine.status().state === "running";
  }

  async #receiveBlock(block: Block): Promise<void> {
    const { hash, sender } = block;
    const announcement = encodePacket("BlockHashMessage", { hash, blockCreator: sender });
    await this.#receive("BlockHashMessage", announcement, bootstrap);
    await this.#receive("BlockMessage", encodeBlock(block), bootstrap);
    for (let calm = 0; calm < 5; calm += 1) await setImmediate();
  }

  async #answer({ message: { type, message } }: SentMessage): Promise<void> {
    const { approved, floorSeed, floors } = this.#network;
    switch (type) {
      case "ApprovedBlockRequest": {
        const candidate = { block: approved, requiredSignatures: 0 };
        return this.#fromBootstrap("ApprovedBlock", { candidate, signatures: [], ...(floorSeed && { floorSeed }) });
      }
      case "BlockRequest":
      case "HasBlockRequest": {
        const block = this.#blocks.find(({ hash }) => Buffer.compare(hash, message.hash) === 0);
        if (block === undefined) return;
        if (type === "HasBlockRequest") return this.#fromBootstrap("HasBlock", { hash: block.hash });
        return this.#receive("BlockMessage", encodeBlock(block), bootstrap);
      }
      case "StoreItemsMessageRequest": {
        const { startPath, skip, take } = message;
        const page = exportItems(state.store, startPath, { skip, take });
        return page && this.#fromBootstrap("StoreItemsMessage", page);
      }
      case "FloorCacheRequest":
        return this.#fromBootstrap("FloorCacheResponse", {
          entries: message.hashes.flatMap((blockHash) => {
            const { floor: floorHash, frontier: frontierHash } = floors?.find(blockHash) ?? {};
            return floorHash === undefined || frontierHash === undefined
              ? []
              : [{ blockHash, floorHash, frontierHash }];
          }),
        });
      case "MergeableEntryRequest": {
        const { blockHash } = message;
        return this.#fromBootstrap("MergeableEntryResponse", { blockHash, serializedEntry: blockHash });
      }
      default:
        return;
    }
  }

  get #form(): PacketCodec {
    return this.#network.server.dialect.packetForm;
  }

  #fromBootstrap<Type extends PacketType>(type: Type, message: PacketContents[Type]): Promise<void> {
    return this.#receive(type, encodePacket(type, message, this.#form), bootstrap);
  }

  get #blocks(): readonly Block[] {
    return [this.#network.genesis, ...this.#network.blocks];
  }

  async #send(lies: readonly Lie[], after: number): Promise<void> {
    for (const lie of lies.filter((one) => one.after === after))
      for (let time = 0; time < lie.times; time += 1) {
        const [type, content] = this.#said(lie);
        await this.#receive(type, content, liar);
        await setImmediate();
      }
  }

  #said({ kind, block: at, lies, page, type, bytes }: Lie): [PacketType, Uint8Array] {
    const { approved, server } = this.#network;
    const original = this.#blocks[at % this.#blocks.length]!;
    const block = liedBlock(original, server satisfies Liar, lies, approved);
    const candidate = { block, requiredSignatures: 0 };
    const encoded = <Type extends PacketType>(name: Type, message: PacketContents[Type]): [PacketType, Uint8Array] => [
      name,
      encodePacket(name, message, this.#form),
    ];
    switch (kind) {
      case "block":
        return ["BlockMessage", encodeBlock(block)];
      case "approved":
        return encoded("ApprovedBlock", {
          candidate,
          signatures: [],
          ...(lies.length > 0 && { floorSeed: seedAt(original) }),
        });
      case "candidate":
        return encoded("UnapprovedBlock", { candidate, timestamp: 1n, durationMs: 1n });
      case "page":
        return encoded("StoreItemsMessage", liedPage(page));
      case "floors": {
        const entries = this.#blocks.map(({ hash }) => ({
          blockHash: hash,
          floorHash: original.hash,
          frontierHash: block.hash,
        }));
        return encoded("FloorCacheResponse", { entries });
      }
      case "entry":
        return encoded("MergeableEntryResponse", { blockHash: original.hash, serializedEntry: bytes });
      default:
        return [type, bytes];
    }
  }

  async #receive(type: string, content: Uint8Array, from: typeof liar): Promise<void> {
    await this.#engine.handlePacket(from, type, content);
  }
}

function liedPage(how: string): StoreItems {
  const startPath = [{ hash: how === "elsewhere" ? blake2b256(state.root) : state.root, index: undefined }];
  const honest = exportItems(state.store, [{ hash: state.root, index: undefined }], { skip: 0, take: 4 })!;
  const { historyItems, dataItems } = honest;
  switch (how) {
    case "empty":
      return { ...honest, historyItems: [], dataItems: [] };
    case "halved":
      return { ...honest, historyItems: historyItems.slice(0, 2) };
    case "doubled":
      return { ...honest, historyItems: [...historyItems, ...historyItems] };
    case "swapped":
      return { ...honest, historyItems: dataItems, dataItems: historyItems };
    default:
      return { ...honest, startPath };
  }
}

/** A false one, which names a block of the network. */
function seedAt({ hash, number }: Block): FloorSeed {
  return { floorHash: hash, floorNumber: number, frontierHash: hash, frontierNumber: number };
}

/** A chain of two validators, approved below its top; where there may be several parents they make blocks side by side. */
async function joinedNetwork({ genesis, validator }: RuledNetwork): Promise<Joined> {
  const [server, other] = [validator("v1"), validator("v2")];
  const blocks: Block[] = [];
  let deploys = 0n;
  const made = (author: TestValidator): Promise<Block> => {
    deploys += 1n;
    author.deploy({ timestamp: deploys });
    return author.make();
  };
  for (let round = 0; round < 3; round += 1) {
    if (server.f1r3node === undefined) {
      blocks.push(await made(other));
      await server.take(blocks.at(-1)!);
      blocks.push(await made(server));
      await other.take(blocks.at(-1)!);
      continue;
    }
    const beside = [await made(other), await made(server)] as const;
    await server.take(beside[0]);
    await other.take(beside[1]);
    blocks.push(...beside);
  }
  const next = blocks.pop()!;
  const approved = blocks[3]!;
  const { floors } = floorPorts(server.chain, server.f1r3node) ?? {};
  return { genesis, blocks, approved, next, server, floors, floorSeed: await floors?.seedOf(approved.hash) };
}

/** A state of some pages. */
function stateOfTree() {
  const store = memoryStateStore();
  const leaves = Array.from({ length: 40 }, (_, index) => {
    const value = Uint8Array.of(index, 1);
    return { key: blake2b256(value), value };
  });
  const { root, newNodes } = buildTree(leaves.map(({ key }) => [key, key] as const));
  store.putItems(
    newNodes.map(({ hash, node }) => ({ key: hash, value: node.bytes })),
    leaves,
  );
  return { store, root };
}
