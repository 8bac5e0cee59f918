import { setImmediate } from "node:timers/promises";
import { signedDeploy, TestValidator, testGenesis, testKey } from "@vedette/chain/testing";
import { blake2b256, toHex } from "@vedette/crypto";
import {
  Block,
  type BlockFields,
  encodeBlock,
  encodePacket,
  hashBlock,
  type PacketType,
  packetTypes,
  rnodeScala,
  signBlock,
} from "@vedette/protocol";
import { MemoryStore } from "@vedette/store";
import { Engine, type SyncEvent } from "@vedette/sync";
import { chainPorts, FakePeers, testPeer } from "@vedette/sync/testing";
import fc from "fast-check";
import { propertyTarget } from "../driver/propertyTarget.js";
import { must } from "../driver/Target.js";

const genesis = testGenesis({ v1: 100, v2: 100, honest: 100 });
const liars = ["v1", "v2", "stranger"];
const types = Object.keys(packetTypes) as PacketType[];

const absurd64 = fc.constantFrom(0n, 1n, 2n, -1n, 1_000_000n, 2n ** 63n - 1n, -(2n ** 63n));
const few = (most: number) => fc.array(fc.nat({ max: 9 }), { maxLength: most });

/** A block with a right hash and a valid signature, and otherwise whatever a liar likes. */
const anyBlock = fc.record({
  by: fc.nat({ max: liars.length - 1 }),
  parents: few(3),
  justified: few(4),
  number: fc.oneof(fc.constant(1n), fc.bigInt(0n, 4n), absurd64),
  sequence: fc.oneof(fc.constant(1), fc.nat({ max: 3 }), fc.constantFrom(-1, 2 ** 31 - 1, -(2 ** 31))),
  timestamp: fc.oneof(fc.constant(1_000_000n), absurd64),
  version: fc.constantFrom(1n, 1n, 1n, 0n, 7n),
  shard: fc.constantFrom("root", "root", "root", "", "other"),
  deploys: fc.array(
    fc.record({
      term: fc.constantFrom("Nil", "", "{"),
      validAfter: absurd64,
      phloPrice: absurd64,
      isForged: fc.boolean(),
    }),
    { maxLength: 2 },
  ),
  slashes: few(2),
  bonds: fc.constantFrom("right", "right", "right", "none", "negative", "twice", "empty"),
  isSame: fc.boolean(),
  forged: fc.constantFrom("no", "no", "no", "hash", "signature", "algorithm"),
});
type BlockPlan = typeof anyBlock extends fc.Arbitrary<infer T> ? T : never;

const anyMessage = fc.oneof(
  fc.record({
    kind: fc.constant("block" as const),
    plan: anyBlock,
    isAnnounced: fc.constantFrom(true, true, true, false),
  }),
  fc.record({ kind: fc.constant("ask" as const), type: fc.constantFrom(...types), at: fc.nat({ max: 9 }) }),
  fc.record({
    kind: fc.constant("bytes" as const),
    type: fc.constantFrom(...types, "Hello"),
    bytes: fc.uint8Array({ maxLength: 20 }),
  }),
);

/** The engine of a node with its chain, and a peer that tells it anything; then somebody honest makes a block. */
export const peerPackets = propertyTarget({
  name: "peer-packets",
  about: "whatever peers send, signed or not, the engine goes on, and takes an honest validator's next block",
  cost: "dear",
  files: [
    "sync/engine/",
    "sync/blocks/",
    "sync/serve/",
    "chain/validation/",
    "chain/dag/",
    "chain/equivocation/",
    "chain/evidence/",
  ],
  values: fc.array(anyMessage, { minLength: 1, maxLength: 8 }),
  check: async (messages) => {
    const node = new TestValidator("observer", genesis);
    const peers = new FakePeers(testPeer("liar"));
    const events: SyncEvent[] = [];
    const engine = engineOf(node, peers, events);
    const ended = new AbortController();
    const run = engine.run(ended.signal).then(
      () => "ended",
      (error: unknown) => error,
    );
    const hear = async (type: string, content: Uint8Array) => {
      await engine.handlePacket(testPeer("liar"), type, content);
      await setImmediate();
    };
    await setImmediate();
    const blocks: Block[] = [genesis];
    for (const message of messages) await say(message, blocks, hear);
    const honest = await new TestValidator("honest", genesis).make();
    await hear(
      "BlockHashMessage",
      encodePacket("BlockHashMessage", { hash: honest.hash, blockCreator: honest.sender }),
    );
    await hear("BlockMessage", encodeBlock(honest));
    for (let turn = 0; turn < 40 && !node.chain.dag.has(honest.hash); turn += 1) await setImmediate();
    const isRunning = engine.status().state === "running";
    ended.abort();
    const end = await run;
    must(isRunning, () => `the engine goes on; it ended with ${String(end)}`);
    const found = node.chain.dag.find(honest.hash);
    must(
      found !== undefined,
      () => `an honest block is taken; events: ${JSON.stringify(events.map(({ type }) => type))}`,
    );
    must(!found.invalid, "an honest block is valid");
    must(peers.take().length < 500, "what peers send is answered within bounds");
  },
});

function engineOf(node: TestValidator, peers: FakePeers, events: SyncEvent[]): Engine {
  return new Engine({
    beginning: "importState",
    bootstrap: undefined,
    shardName: "root",
    dialect: rnodeScala,
    modes: { genesisValidator: false, ceremonyMaster: false },
    peers,
    store: new MemoryStore(["bufferedBlocks"]),
    ...chainPorts(node.chain),
    approved: {
      get: () => ({ candidate: { block: genesis, requiredSignatures: 0 }, signatures: [] }),
      adoptGenesis: async () => ({ kind: "invalid", status: "InvalidTransaction", inDag: false }),
      adoptImported: async () => {},
    },
    stateImport: {
      hasRoot: async () => true,
      missing: async () => [],
      importPage: async () => ({ nextPath: undefined }),
      recordRoot: async () => {},
    },
    stateExport: { exportPage: async () => undefined },
    emit: (event) => events.push(event),
    nowMs: () => 1_000_000,
  });
}

type Message = typeof anyMessage extends fc.Arbitrary<infer T> ? T : never;

async function say(
  message: Message,
  blocks: Block[],
  hear: (type: string, content: Uint8Array) => Promise<void>,
): Promise<void> {
  if (message.kind === "bytes") return hear(message.type, message.bytes);
  if (message.kind === "ask") {
    const { hash, sender } = blocks[message.at % blocks.length]!;
    const hashed = { hash, blockCreator: sender };
    const isPlain = ["BlockRequest", "HasBlock", "HasBlockRequest", "BlockHashMessage"].includes(message.type);
    return hear(message.type, isPlain ? encodePacket(message.type, hashed as never) : hash);
  }
  const block = made(message.plan, blocks);
  if (block === undefined) return;
  blocks.push(block);
  const { hash, sender } = block;
  if (message.isAnnounced)
    await hear("BlockHashMessage", encodePacket("BlockHashMessage", { hash, blockCreator: sender }));
  await hear("BlockMessage", encodeBlock(block));
}

function made(plan: BlockPlan, blocks: readonly Block[]): Block | undefined {
  const key = testKey(liars[plan.by]!);
  const blockAt = (index: number) => blocks[index % blocks.length]!;
  const parents = plan.parents.length === 0 && plan.isSame ? [genesis] : plan.parents.map(blockAt);
  const { bonds } = genesis.body.state;
  const fields: BlockFields = {
    ...genesis,
    header: {
      ...genesis.header,
      parents: parents.map(({ hash }) => hash),
      timestamp: plan.timestamp,
      version: plan.version,
    },
    body: {
      ...genesis.body,
      state: {
        ...genesis.body.state,
        preStateHash: parents[0]?.body.state.postStateHash ?? genesis.body.state.postStateHash,
        postStateHash: plan.isSame ? genesis.body.state.postStateHash : blake2b256(Uint8Array.of(plan.by)),
        blockNumber: plan.number,
        bonds: bondsOf(plan.bonds, bonds),
      },
      deploys: plan.deploys.map((deploy) => ({
        deploy: forgedDeploy(deploy),
        cost: 1n,
        log: [],
        failed: false,
        systemDeployError: "",
      })),
      systemDeploys: plan.slashes.map((at) => ({
        systemDeploy: { kind: "slash", invalidBlockHash: blockAt(at).hash, issuerPublicKey: key.publicKey },
        log: [],
        error: "",
      })),
    },
    justifications: plan.justified.map((at) => ({ validator: blockAt(at).sender, latestBlockHash: blockAt(at).hash })),
    sequenceNumber: plan.sequence,
    shardId: plan.shard,
  };
  return forgedBlock(signBlock(fields, key, rnodeScala), plan.forged);
}

function bondsOf(kind: BlockPlan["bonds"], bonds: Block["body"]["state"]["bonds"]): Block["body"]["state"]["bonds"] {
  if (kind === "right") return bonds;
  if (kind === "none") return [];
  if (kind === "twice") return [...bonds, ...bonds];
  return bonds.map(({ validator, stake }) =>
    kind === "negative" ? { validator, stake: -stake } : { validator: new Uint8Array(0), stake },
  );
}

function forgedDeploy({ term, validAfter, phloPrice, isForged }: BlockPlan["deploys"][number]) {
  const deploy = signedDeploy({ term, validAfterBlockNumber: validAfter, phloPrice });
  return isForged ? { ...deploy, timestamp: deploy.timestamp + 1n } : deploy;
}

function forgedBlock(block: Block, kind: BlockPlan["forged"]): Block {
  switch (kind) {
    case "hash":
      return new Block({ ...block, hash: hashBlock(new Block({ ...block, shardId: "elsewhere" }), rnodeScala) });
    case "signature":
      return new Block({ ...block, signature: block.signature.map((byte) => byte ^ 1) });
    case "algorithm":
      return new Block({ ...block, signatureAlgorithm: toHex(block.hash) });
    default:
      return block;
  }
}
