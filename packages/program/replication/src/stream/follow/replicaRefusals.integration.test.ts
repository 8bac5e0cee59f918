import { fromHex, toHex } from "@vedette/crypto";
import { testKey } from "@vedette/node/testing";
import { type Block, blockSignerOf, decodeBlock, encodeBlock, rnode, signBlock } from "@vedette/protocol";
import { runs } from "@vedette/testing";
import { beforeAll, describe, expect, test } from "vitest";
import { type BlockContent, type BlockMessageFacts, makeMessage, readContent, readFacts } from "../blockMessage.js";
import { messageOf } from "../entryMessages.js";
import { alarmMessage, finalMessage } from "../plainMessages.js";
import { StreamNames } from "../StreamNames.js";
import { copyOf, expectSame, forge } from "../testing/comparedReplicas.js";
import { LoggedChain } from "../testing/LoggedChain.js";
import { MemoryPort } from "../testing/MemoryPort.js";
import { MemorySource } from "../testing/MemorySource.js";
import { publishAll } from "../testing/publishAll.js";
import { ReplicaWorld } from "../testing/ReplicaWorld.js";
import type { ReplicaEvent } from "./Replica.js";
import type { SourceMessage } from "./StreamSource.js";

const names = new StreamNames("test");
const blocks = 6;
let origin: LoggedChain;
let made: MemoryPort;

beforeAll(async () => {
  origin = await LoggedChain.begin(blocks);
  made = await publishAll(origin);
});

/** Whether two encodings are of one block: a field may be written in more than one way, as 1 and 17 both mean `true`. */
function isSameBlock(bytes: Uint8Array, other: Uint8Array): boolean {
  try {
    return toHex(encodeBlock(decodeBlock(bytes, rnode.blockForm))) === toHex(other);
  } catch {
    return false;
  }
}

const isBlock = ({ subject }: SourceMessage) => subject.includes(".block.");

function chainBlocks(): Block[] {
  const hashes = [...made.messages.keys()].map((subject) => names.read(subject));
  return hashes.flatMap((named) => (named?.kind === "block" ? [origin.blocks.read(fromHex(named.hash))!] : []));
}

describe("a replica stops before", () => {
  const stopsAt = async (port: MemoryPort, height: number, words: string | RegExp) => {
    const world = new ReplicaWorld();
    await expect(world.follow(new MemorySource(port))).rejects.toThrow(words);
    const { chain } = world.open();
    expect(chain.dag.nextBlockNumber()).toBe(BigInt(height));
    // The mended stream is gone on with.
    await world.follow(new MemorySource(made));
    expectSame(world, origin);
  };

  test("a node or leaf that is missing or forged", async () => {
    for (const kind of ["node", "leaf"] as const)
      for (const how of ["missing", "forged", "needless"] as const) {
        const port = copyOf(made);
        await forge(port, 3, async (_facts, { entries }) => {
          const at = entries.findIndex((entry) => entry.kind === kind);
          const bytes = entries[at]!.bytes.slice();
          bytes[bytes.length - 1]! ^= 1;
          const others = how === "needless" ? entries : entries.filter((_, other) => other !== at);
          return [{}, { entries: how === "missing" ? others : [...others, { kind, bytes }] }];
        });
        await stopsAt(port, 3, /Publisher one published an impossible block #3 .*: its state: /);
      }
  });

  test("a block that is not what it is called, not its creator's, or of another state or parent", async () => {
    const cases: [
      string,
      (facts: BlockMessageFacts, content: BlockContent) => Promise<[Partial<BlockMessageFacts>, Partial<BlockContent>]>,
    ][] = [
      ["its state is based on another one", async () => [{ base: "00".repeat(32) }, {}]],
      ["it has another state", async () => [{ postStateHash: "00".repeat(32) }, {}]],
      ["did not have its state any more", async () => [{ base: null }, {}]],
      [
        "the message has another block",
        async (_, { entries }) => {
          const other = origin.blocks.read(origin.log.read(4)!.hash)!;
          return [{}, { entries: [{ kind: "block", bytes: encodeBlock(other) }, ...entries.slice(1)] }];
        },
      ],
      [
        "it cannot be read",
        async (_, { entries }) => [
          {},
          { entries: [{ kind: "block", bytes: Uint8Array.of(255) }, ...entries.slice(1)] },
        ],
      ],
      ["does not begin with a block", async (_, { entries }) => [{}, { entries: entries.slice(1) }]],
      ["several blocks", async (_, { entries }) => [{}, { entries: [...entries, entries[0]!] }]],
      ["its state: ", async () => [{}, { outcome: Uint8Array.of(9, 9, 9) }]],
    ];
    for (const [words, change] of cases) {
      const port = copyOf(made);
      await forge(port, 3, change);
      await stopsAt(port, 3, words);
    }
  });

  test("malformed results of executing a block", async () => {
    for (const outcome of [Uint8Array.of(255), new Uint8Array(40).fill(7)]) {
      const port = copyOf(made);
      await forge(port, 3, async () => [{}, { outcome }]);
      await stopsAt(port, 3, /Publisher one published an impossible block #3 .*: its state: /);
    }
  });

  test("a part of a long message that was changed, is another's, or too short", async () => {
    const parted = new MemoryPort();
    parted.maxBytes = 20_000;
    await publishAll(origin, { port: parted });
    const parts = [...parted.messages.keys()].filter((subject) => subject.includes(".part."));
    const [first, second] = parts.map((subject) => parted.messages.get(subject)!);
    const changed = first!.slice();
    changed[changed.length >> 1]! ^= 1;
    for (const wrong of [changed, second!, first!.subarray(0, -1), new Uint8Array(0)]) {
      const port = copyOf(parted);
      port.messages.set(parts[0]!, wrong);
      await expect(new ReplicaWorld().follow(new MemorySource(port))).rejects.toMatchObject({
        failure: { code: "messageWrong" },
      });
    }
  });

  test("a block with changed bytes at any place", async () => {
    const cuts = runs(6, 40);
    for (let at = 1; at < cuts; at += 1) {
      const port = copyOf(made);
      let saysTheSame = false;
      await forge(port, 2, async (_, { entries }) => {
        const bytes = entries[0]!.bytes.slice();
        bytes[Math.floor((bytes.length * at) / cuts)]! ^= 0x10;
        saysTheSame = isSameBlock(bytes, entries[0]!.bytes);
        return [{}, { entries: [{ kind: "block", bytes }, ...entries.slice(1)] }];
      });
      const world = new ReplicaWorld();
      if (saysTheSame) {
        await world.follow(new MemorySource(port));
        expectSame(world, origin);
        continue;
      }
      await expect(world.follow(new MemorySource(port))).rejects.toThrow(/block #2|network/);
      expect(world.open().chain.dag.nextBlockNumber()).toBe(2n);
    }
  });

  test("a block that builds on what is not there", async () => {
    const port = copyOf(made);
    for (const [subject, bytes] of port.messages)
      if (subject.includes(".block.") && readFacts(subject, bytes).facts.number === 3) port.messages.delete(subject);
    await stopsAt(port, 3, /Block #3 .* does not continue the stored chain: it is final, and not here/);
    for (const subject of port.messages.keys()) if (subject.includes(".final.")) port.messages.delete(subject);
    await expect(new ReplicaWorld().follow(new MemorySource(port))).rejects.toThrow(
      /Block #4 .* does not continue the stored chain: block [0-9a-f]{64} is not here.*Messages are missing in the stream/,
    );
  });

  test("what is of another network, dialect or shard, or begins with another block", async () => {
    const world = new ReplicaWorld();
    const port = copyOf(made);
    await forge(port, 0, async () => [{ network: "another" }, {}]);
    await expect(world.follow(new MemorySource(port))).rejects.toThrow(
      "The stream is of network 'another', and not of 'test'",
    );
    const ofOtherDialect = copyOf(made);
    await forge(ofOtherDialect, 0, async () => [{ dialect: "f1r3node" }, {}]);
    await expect(world.follow(new MemorySource(ofOtherDialect))).rejects.toThrow(/dialect.*f1r3node.*rnode/);
    await expect(world.follow(new MemorySource(made), { beginning: "ab".repeat(32) })).rejects.toThrow(
      /The stream begins with block [0-9a-f]+, and not with abab/,
    );
    const later = new MemorySource(made);
    later.first = 2;
    await expect(world.follow(later)).rejects.toThrow("this data directory is empty: give --snapshot and --block");
  });

  test("a block about which publishers differ, also where the other statement comes far behind", async () => {
    const port = copyOf(made);
    const { hash } = origin.log.read(4)!;
    const log = {
      ...{ id: "other", newest: () => 1, oldest: () => 1 },
      read: (number: number) =>
        number === 1 ? ({ kind: "blockInvalid", hash, reason: "InvalidTransaction" } as const) : undefined,
    };
    await publishAll(origin, { port, log, publisher: "two" });
    const words = `Publishers differ about block ${toHex(hash)}: it is valid for one, and invalid for two`;
    const world = new ReplicaWorld();
    await expect(world.follow(new MemorySource(port))).rejects.toThrow(words);
    // The alarm lies behind all, and was looked for first.
    expect(world.open().chain.dag.approvedBlock()).toBeUndefined();
    for (const [subject] of port.messages) if (subject.includes(".alarm.")) port.messages.delete(subject);
    const second = new ReplicaWorld();
    await expect(second.follow(new MemorySource(port))).rejects.toThrow(words);
    const live = new ReplicaWorld();
    await live.follow(new MemorySource(made));
    const alarm = { hash: toHex(hash), valid: "one", invalid: "two" };
    port.messages.set(names.alarm(alarm.hash), alarmMessage(alarm));
    await expect(live.follow(new MemorySource(port))).rejects.toThrow(words);
  });

  test("a final block that is not there, but where another one is final that one is passed over", async () => {
    const port = copyOf(made);
    const unknown = "cd".repeat(32);
    port.messages.set(names.final(fromHex(unknown)), finalMessage({ hash: unknown, number: 5, with: unknown }));
    const world = new ReplicaWorld();
    expect(skippedIn(await world.follow(new MemorySource(port)))).toEqual([
      expect.stringMatching(/its block #5 is (cd)+, but [0-9a-f]{64} here/),
    ]);
    expectSame(world, origin);
    const above = finalMessage({ hash: unknown, number: 7, with: unknown });
    port.messages.set(names.final(fromHex(unknown)), above);
    await expect(new ReplicaWorld().follow(new MemorySource(port))).rejects.toThrow("it is final, and not here");
  });

  test("but not an invalid message: it is reported, and the next one is read", async () => {
    for (const [bytes, needed] of [
      [new Uint8Array(0), 1],
      [new Uint8Array(3), undefined],
      [new Uint8Array(5_000).fill(0x20), 1],
    ] as const) {
      const quorum = needed === undefined ? undefined : { needed };
      const subjects = [names.block(new Uint8Array(32), "valid"), names.final(new Uint8Array(32))];
      const port = putBefore(made, 3, ...subjects.map((subject) => [subject, bytes] as const));
      const world = new ReplicaWorld();
      const events = await world.follow(new MemorySource(port), { quorum });
      const said = subjects.map((subject) => expect.stringContaining(`The message ${subject} is wrong`));
      expect(skippedIn(events)).toEqual(said);
      expectSame(world, origin);
    }
    const port = copyOf(made);
    port.messages.set("vedette.test.something.else", new Uint8Array(1));
    const world = new ReplicaWorld();
    await world.follow(new MemorySource(port));
    expectSame(world, origin);
    expect([...made.messages].filter(([subject]) => isBlock({ subject } as SourceMessage))).toHaveLength(blocks + 1);
  });

  test("nor at an invalid block, whatever a stranger has put in it", async () => {
    const parent = chainBlocks()[2]!;
    const strangers = [2n ** 62n, 2n ** 63n - 1n, -1n, -(2n ** 63n)].map((number) => strangersBlock(parent, number));
    const port = putBefore(made, 5, ...(await Promise.all(strangers.map(publishedInvalid))));
    const world = new ReplicaWorld();
    expect(skippedIn(await world.follow(new MemorySource(port)))).toEqual([]);
    const { dag } = world.chain!;
    expect(dag.lastFinalized()!.number).toBe(BigInt(blocks));
    // Blocks that others may refer to are there, as the publisher has them; nothing refers to blocks below genesis.
    const there = strangers.map(({ number }) => (number < 0n ? undefined : number));
    expect(strangers.map(({ hash }) => dag.find(hash)?.number)).toEqual(there);
    // A publisher with an impossible statement about such a block is ignored, and delays nothing.
    const [subject, message] = await publishedInvalid(strangersBlock(parent, 7n));
    const { facts, body } = readFacts(subject, message);
    const { format: _f, content: _c, outcomeBytes: _o, bytes: _b, parts: _p, ...plain } = facts;
    const content = await readContent(subject, facts, body);
    const lie = await makeMessage({ ...plain, number: 9 }, content, 1 << 20);
    const other = new ReplicaWorld();
    const events = await other.follow(new MemorySource(putBefore(made, 5, [subject, lie.bytes])));
    expect(skippedIn(events)).toEqual([expect.stringContaining("it has the number 7")]);
    expectSame(other, origin);
  });
});

/** Messages before the one of a height's block. */
function putBefore(
  port: MemoryPort,
  height: number,
  ...messages: readonly (readonly [string, Uint8Array])[]
): MemoryPort {
  const at = names.block(chainBlocks()[height]!.hash, "valid");
  const copy = copyOf(port);
  copy.messages.clear();
  for (const [subject, bytes] of port.messages) {
    if (subject === at) for (const [one, content] of messages) copy.messages.set(one, content);
    copy.messages.set(subject, bytes);
  }
  return copy;
}

function skippedIn(events: readonly ReplicaEvent[]): string[] {
  return events.flatMap((event) => (event.type === "skipped" ? [event.error.message] : []));
}

/** As a chain's next block, but by a key without stake, and with another number. */
function strangersBlock(parent: Block, number: bigint): Block {
  const next = chainBlocks()[3]!;
  const body = { ...next.body, state: { ...next.body.state, blockNumber: number } };
  const justifications = [{ validator: parent.sender, latestBlockHash: parent.hash }];
  const key = blockSignerOf(testKey("stranger").privateKey);
  return signBlock({ ...next, body, justifications, sequenceNumber: 0 }, key, rnode);
}

/** Makes the message of a publisher with a node that found a block invalid. */
async function publishedInvalid(block: Block): Promise<readonly [string, Uint8Array]> {
  const source = { network: "test", publisher: "one", states: origin.states, findOutcome: () => undefined };
  const blocks = { read: () => block, findBytes: () => encodeBlock(block) };
  const entry = { kind: "blockInvalid", hash: block.hash, reason: "InvalidBlockNumber" } as const;
  const made = await messageOf(
    entry as Parameters<typeof messageOf>[0],
    { ...source, blocks },
    {
      maxBytes: 1 << 20,
      finalWith: () => block.hash,
    },
  );
  if (made?.kind !== "block") throw new TypeError("no message is made of an invalid block");
  return [names.block(block.hash, "invalid"), made.message.bytes];
}
