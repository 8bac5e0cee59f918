import { setImmediate } from "node:timers/promises";
import { contestedTerm, type TestValidator } from "@vedette/chain/testing";
import { type Block, encodePacket, type PacketCodec, type PacketType, packetTypes } from "@vedette/protocol";
import fc from "fast-check";
import { propertyTarget } from "../driver/propertyTarget.js";
import { must } from "../driver/Target.js";
import { liedBlock, lieNames } from "./forgedBlock.js";
import { ListeningNode } from "./listeningNode.js";
import { type RuleName, ruledNetworks, ruleNames } from "./ruledNetworks.js";

const stakes = { v1: 100, v2: 100, honest: 100 };
const networks = ruledNetworks(stakes);
const liarNames = ["v1", "v2", "stranger"];
const types = Object.keys(packetTypes) as PacketType[];

const anyMessage = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant("block" as const),
      by: fc.nat({ max: liarNames.length - 1 }),
      lies: fc.uniqueArray(fc.constantFrom(...lieNames), { maxLength: 2 }),
      other: fc.nat({ max: 9 }),
      isAnnounced: fc.constantFrom(true, true, true, false),
      /** Whether the block is sent without its lies, too: before or after. */
      truth: fc.constantFrom("none", "none", "before", "after"),
      /** Whether the other liars receive the true one and build on it. */
      isShared: fc.boolean(),
      /** Whether its deploy contests what others do. */
      isContested: fc.boolean(),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("ask" as const),
      type: fc.constantFrom(...types),
      other: fc.nat({ max: 9 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("bytes" as const),
      type: fc.constantFrom(...types, "Hello"),
      bytes: fc.uint8Array({ maxLength: 20 }),
    }),
  },
);
type Message = typeof anyMessage extends fc.Arbitrary<infer T> ? T : never;

/** The engine of a node with its chain, and a peer that sends it anything; then an honest validator makes a block. */
export const peerPackets = propertyTarget({
  name: "peer-packets",
  about:
    "whatever peers send, validly signed or not, the engine keeps running, and takes an honest validator's next block",
  cost: "expensive",
  files: [
    "sync/engine/Engine.js",
    "sync/engine/Running.js",
    "protocol/block/blockEncoding.js",
    "sync/blocks/",
    "sync/serve/",
    "chain/validation/",
    "chain/dag/",
    "chain/equivocation/",
    "chain/evidence/",
    "chain/finality/",
  ],
  values: fc.record({
    rule: fc.constantFrom(...ruleNames),
    messages: fc.array(anyMessage, { minLength: 1, maxLength: 8 }),
  }),
  check: async ({ rule, messages }) => {
    const scene = new Scene(rule);
    await scene.begin();
    for (const message of messages) await scene.say(message);
    await scene.checkHonestBlock();
    await scene.end();
  },
});

/** Those that name blocks and nothing else. */
const plainTypes: ReadonlySet<string> = new Set<PacketType>([
  ...(["BlockRequest", "HasBlock", "HasBlockRequest", "BlockHashMessage"] as const),
  ...(["FloorCacheRequest", "MergeableEntryRequest"] as const),
]);

class Scene {
  readonly #rule: RuleName;
  readonly #node: ListeningNode;
  readonly #liars: readonly TestValidator[];
  readonly #sent: Block[];
  #deploys = 0n;

  constructor(rule: RuleName) {
    this.#rule = rule;
    const { genesis } = networks[rule];
    this.#node = new ListeningNode(this.#validator("observer"), genesis);
    this.#liars = liarNames.map((name) => this.#validator(name));
    this.#sent = [genesis];
  }

  async begin(): Promise<void> {
    await this.#node.begin();
  }

  async say(message: Message): Promise<void> {
    const other = this.#sent[(message.kind === "bytes" ? 0 : message.other) % this.#sent.length]!;
    if (message.kind === "bytes") return this.#receive(message.type, message.bytes);
    if (message.kind === "ask") return this.#ask(message.type, other);
    const liar = this.#liars[message.by]!;
    // Counted for the input alone: each scene has its own count.
    this.#deploys += 1n;
    const change = message.isContested ? { term: contestedTerm } : {};
    liar.deploy({ timestamp: this.#deploys, ...change });
    const result = await liar.proposer.propose();
    if (result.status !== "Success") return;
    const { block } = result;
    if (message.truth === "before") await this.#send(block, true);
    await this.#send(liedBlock(block, liar, message.lies, other), message.isAnnounced);
    if (message.truth === "after") await this.#send(block, true);
    if (!message.isShared) return;
    for (const one of this.#liars)
      if (one !== liar && one.chain.missingDependencies(block).length === 0) await one.take(block);
  }

  /** An honest block of a validator that has received nothing: it builds on genesis, and no rule is against it. */
  async checkHonestBlock(): Promise<void> {
    const block = await this.#validator("honest").make();
    await this.#send(block, true);
    const { dag } = this.#node.validator.chain;
    for (let turn = 0; turn < 50 && !dag.has(block.hash); turn += 1) await setImmediate();
    this.#node.checkRuns();
    const types = JSON.stringify(this.#node.events.map(({ type }) => type));
    const found = dag.find(block.hash);
    must(found !== undefined, () => `an honest block is taken; events: ${types}`);
    must(!found.invalid, "an honest block is valid");
  }

  async end(): Promise<void> {
    await this.#node.end();
  }

  #validator(name: string): TestValidator {
    return networks[this.#rule].validator(name);
  }

  get #form(): PacketCodec {
    return this.#node.validator.dialect.packetForm;
  }

  async #send(block: Block, isAnnounced: boolean): Promise<void> {
    this.#sent.push(block);
    await this.#node.receiveBlock(block, isAnnounced);
    for (let turn = 0; turn < 3; turn += 1) await setImmediate();
  }

  #ask(type: PacketType, { hash, sender }: Block): Promise<void> {
    const asked = { hash, blockHash: hash, hashes: [hash, hash], blockCreator: sender };
    return this.#receive(type, plainTypes.has(type) ? encodePacket(type, asked as never, this.#form) : hash);
  }

  async #receive(type: string, content: Uint8Array): Promise<void> {
    await this.#node.receive(type, content);
    for (let turn = 0; turn < 3; turn += 1) await setImmediate();
  }
}
