import { fromHex, toHex } from "@vedette/crypto";
import { findOutcome, mergeableIdOf } from "@vedette/execution";
import { accountGenesis, SoloValidator, testKey, userDeploy } from "@vedette/node/testing";
import { type Block, blockSignerOf, decodeBlock, encodeBlock, rnode, signBlock } from "@vedette/protocol";
import { type MemoryStore, type Store, StoreError, tablesOf } from "@vedette/store";
import { runs } from "@vedette/testing";
import fc from "fast-check";
import { beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { type BlockContent, type BlockMessageFacts, makeMessage, readContent, readFacts } from "../blockMessage.js";
import { messageOf } from "../entryMessages.js";
import { alarmMessage, finalMessage } from "../plainMessages.js";
import { StreamNames } from "../StreamNames.js";
import { begunWorld } from "../testing/begunWorld.js";
import { LoggedChain } from "../testing/LoggedChain.js";
import { MemoryPort } from "../testing/MemoryPort.js";
import { endOfMessages, MemorySource } from "../testing/MemorySource.js";
import { publishAll } from "../testing/publishAll.js";
import { ReplicaWorld } from "../testing/ReplicaWorld.js";
import type { ReplicaEvent } from "./Replica.js";
import { readPlace } from "./StreamPosition.js";
import type { SourceMessage } from "./StreamSource.js";

const names = new StreamNames("test");
const blocks = 6;
let origin: LoggedChain;
let made: MemoryPort;
let content: string;

beforeAll(async () => {
  origin = await LoggedChain.begin(blocks);
  made = await publishAll(origin);
  content = publishedContentOf(origin);
});

function copyOf(port: MemoryPort): MemoryPort {
  const copy = new MemoryPort();
  copy.id = port.id;
  for (const [subject, bytes] of port.messages) copy.messages.set(subject, bytes);
  return copy;
}

/** The content of the chain's store, without the log's id and the replica's position. */
function contentOf(store: MemoryStore): string[] {
  return tablesOf("chain").flatMap((name) =>
    name === "followed"
      ? []
      : [...store.table(name).range()].map(([key, value]) => {
          const kept = name === "eventLog" && key[0] === 0 ? value.subarray(8) : value;
          return `${name} ${toHex(key)} ${toHex(kept)}`;
        }),
  );
}

/** Returns the part of it that replicas have, too. */
function publishedContentOf({ chain }: LoggedChain): string {
  const isOwn = (line: string) => /^(deployPool|ownProposals|refusedDeploys|equivocations) /.test(line);
  return contentOf(chain)
    .filter((line) => !isOwn(line))
    .join("\n");
}

/** The same chain, event by event and table by table, each state whole. */
function expectSame(world: ReplicaWorld, chain: LoggedChain = origin): void {
  expect(contentOf(world.chainStore).join("\n")).toBe(chain === origin ? content : publishedContentOf(chain));
  for (let entry = 1; entry <= chain.log.newest(); entry += 1) {
    const root = chain.blocks.read(chain.log.read(entry)!.hash)!.body.state.postStateHash;
    expect(world.states.hasRoot(root)).toBe(true);
  }
}

/** Whether two encodings are of one block: a field may be written in more than one way, as 1 and 17 both mean `true`. */
function isSameBlock(bytes: Uint8Array, other: Uint8Array): boolean {
  try {
    return toHex(encodeBlock(decodeBlock(bytes, rnode.blockForm))) === toHex(other);
  } catch {
    return false;
  }
}

/** Sequence of the last message that is followed. */
function lastFollowed(port: MemoryPort): number {
  return [...port.messages.keys()].findLastIndex((subject) => !/\.(part|said)\./.test(subject)) + 1;
}

const isBlock = ({ subject }: SourceMessage) => subject.includes(".block.");

/** The block message of a height, its facts and content changed. */
async function forge(
  port: MemoryPort,
  height: number,
  change: (
    facts: BlockMessageFacts,
    content: BlockContent,
  ) => Promise<[Partial<BlockMessageFacts>, Partial<BlockContent>]>,
): Promise<void> {
  for (const [subject, bytes] of port.messages) {
    if (!subject.includes(".block.")) continue;
    const { facts, body } = readFacts(subject, bytes);
    if (facts.number !== height) continue;
    const content = await readContent(subject, facts, body);
    const [otherFacts, otherContent] = await change(facts, content);
    const { format: _format, content: _content, outcomeBytes, bytes: _bytes, parts: _parts, ...plain } = facts;
    expect(outcomeBytes).toBe(content.outcome.length);
    const forged = await makeMessage({ ...plain, ...otherFacts }, { ...content, ...otherContent }, 1 << 20);
    port.messages.set(subject, forged.bytes);
  }
}

function blockAt(chain: LoggedChain, wanted: bigint): Block {
  for (let entry = 1; entry <= chain.log.newest(); entry += 1) {
    const block = chain.blocks.read(chain.log.read(entry)!.hash)!;
    if (block.number === wanted) return block;
  }
  throw new TypeError(`no block #${wanted}`);
}

function chainBlocks(): Block[] {
  const hashes = [...made.messages.keys()].map((subject) => names.read(subject));
  return hashes.flatMap((named) => (named?.kind === "block" ? [origin.blocks.read(fromHex(named.hash))!] : []));
}

describe("a replica", () => {
  test("has what the node has, table by table, from the stream alone", async () => {
    const world = new ReplicaWorld();
    const events = await world.follow(new MemorySource(made));
    expectSame(world);
    expect(events.filter((event) => event.type === "took" && event.kind === "block")).toHaveLength(blocks + 1);
    expect(world.chainEvents.filter(({ type }) => type === "blockAdded")).toHaveLength(blocks);
    expect(readPlace(world.chainStore)).toEqual({ stream: "first", sequence: lastFollowed(made), isJoined: true });
  });

  test("with a snapshot reads the stream from the message of the lowest block that it has, and has the rest", async () => {
    const world = begunWorld(origin, 2, 4);
    const source = new MemorySource(made);
    const read: string[] = [];
    source.before = ({ subject }) => void read.push(subject);
    const events = await world.follow(source);
    expect(read[0]).toBe(names.block(chainBlocks()[2]!.hash, "valid"));
    const added = events.flatMap((event) => (event.type === "took" && event.kind === "block" ? [event.number] : []));
    expect(added).toEqual([5, 6]);
    expect(world.chain!.dag.lastFinalized()!.number).toBe(BigInt(blocks));
  });

  test("with a snapshot finds a block that was published before what the snapshot has", async () => {
    const world = begunWorld(origin, 2, 4);
    const port = copyOf(made);
    const early = names.block(chainBlocks()[5]!.hash, "valid");
    const bytes = port.messages.get(early)!;
    port.messages.delete(early);
    const others = [...port.messages];
    port.messages.clear();
    for (const [subject, content] of [[early, bytes] as const, ...others]) port.messages.set(subject, content);
    const events = await world.follow(new MemorySource(port));
    expect(events.flatMap((event) => (event.type === "begun" ? [event.from] : []))).toEqual([expect.any(Number)]);
    expect(world.chain!.dag.lastFinalized()!.number).toBe(BigInt(blocks));
  });

  test("with a snapshot takes blocks built beside it, without available states, and goes on", async () => {
    const chain = await LoggedChain.begin(3);
    const late = await SoloValidator.begin("v2", await accountGenesis(), { nowMs: () => 1_700_000_003_500 });
    for (const height of [1n, 2n, 3n]) expect(await late.take(blockAt(chain, height))).toBe("Valid");
    const beside: Block[] = [];
    for (const validAfterBlockNumber of [3n, 4n, 5n]) {
      await late.proposing.submit(userDeploy("u2", `@"late"!(${validAfterBlockNumber})`, { validAfterBlockNumber }));
      beside.push(await late.make());
    }
    // The first one is in the snapshot, beside the snapshot's block; the others come later on it.
    for (const block of beside) {
      await chain.grow();
      expect(await chain.take(block)).toBe("Valid");
    }
    await chain.grow();
    const world = begunWorld(chain, 2, 4);
    world.stateStore.write((tables) => {
      for (const { body } of beside) tables("roots").delete(body.state.postStateHash);
    });
    const source = new MemorySource(await publishAll(chain));
    const events = await world.follow(source);
    const failures = events.flatMap((event) => (event.type === "failed" ? [event.error.message] : []));
    expect(failures).toEqual([expect.stringMatching(new RegExp(`${endOfMessages}$`))]);
    const { dag } = world.chain!;
    expect(dag.lastFinalized()!.number).toBe(dag.nextBlockNumber() - 1n);
    expect(beside.map(({ hash }) => dag.has(hash))).toEqual([true, true, true]);
    expect(beside.slice(1).map(({ hash }) => dag.lacksState(hash))).toEqual([true, true]);
    expect([...dag.blocksByHeight(5n, 99n)].filter(({ hash }) => dag.lacksState(hash))).toHaveLength(2);
    // Their transfers came with them.
    for (const block of beside.slice(1)) expect(findOutcome(world.stateStore, mergeableIdOf(block))).toBeDefined();
  });

  test("has it also where messages come twice, out of order, from a server that comes and goes, and it is ended anywhere", async () => {
    const some = fc.integer({ min: 1, max: 9 });
    const times = fc.array(fc.tuple(fc.nat(40), fc.nat(40), some, some), { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(times, async (rounds) => {
        const world = new ReplicaWorld();
        for (const [first, second, taken, maxTotal] of rounds) {
          const source = new MemorySource(made);
          source.change = (messages) => {
            const mixed = [...messages];
            const [one, other] = [mixed[first % mixed.length], mixed[second % mixed.length]];
            if (one === undefined || other === undefined) return mixed;
            mixed.splice(second % mixed.length, 0, one);
            return mixed;
          };
          let left = taken;
          const until = ({ type }: ReplicaEvent) => type === "failed" || (type === "took" && --left <= 0);
          await world.follow(source, { maxTotal, until });
        }
        await world.follow(new MemorySource(made));
        expectSame(world);
      }),
      { numRuns: runs(4, 100) },
    );
  });

  test("goes on after a write that failed anywhere, with nothing lost or doubled", async () => {
    for (let failing = 1; failing < 40; failing += runs(5, 1)) {
      const maxTotal = [1, 2, 3, 5][failing % 4]!;
      const world = new ReplicaWorld();
      let writes = 0;
      const failed: Pick<Store, "write" | "together"> = {
        write: (work) => {
          writes += 1;
          if (writes === failing) throw new TypeError("the disk is full");
          return world.chainStore.write(work);
        },
        together: (work) => world.chainStore.together(work),
      };
      const store = new Proxy(world.chainStore, {
        get: (target, name) => {
          const found: unknown = Reflect.get(name in failed ? failed : target, name);
          return typeof found === "function" ? found.bind(target) : found;
        },
      });
      await Promise.resolve()
        .then(() => world.follow(new MemorySource(made), { store, maxTotal }))
        .catch((error: Error) => expect(error.message).toBe("the disk is full"));
      await world.follow(new MemorySource(made));
      expectSame(world);
    }
  });

  test("with a full disk waits, and goes on by itself when there is room", async () => {
    const world = new ReplicaWorld();
    let fails = 2;
    let waits = 0;
    const store = new Proxy(world.chainStore, {
      get: (target, name) => {
        if (name === "write" && waits > 0 && fails-- > 0)
          return () => {
            throw new StoreError({ code: "full", path: "/data" });
          };
        const found: unknown = Reflect.get(target, name);
        return typeof found === "function" ? found.bind(target) : found;
      },
    });
    await world.follow(new MemorySource(made), {
      ...{ store, firstWaitMs: 1 },
      hasRoom: async () => void (waits += 1),
    });
    expect([fails < 0, waits > 0]).toEqual([true, true]);
    expectSame(world);
  });

  test("takes many messages in one transaction, and shows nothing that is not on disk", async () => {
    const world = new ReplicaWorld();
    let writes = 0;
    const store = new Proxy(world.chainStore, {
      get: (target, name) => {
        if (name === "write") writes += 1;
        const found: unknown = Reflect.get(target, name);
        return typeof found === "function" ? found.bind(target) : found;
      },
    });
    const onDisk = () => world.chainStore.table("blocksByHeight").count();
    const seen: (readonly [number, number])[] = [];
    let isLooking = true;
    const look = () => {
      if (world.chain !== undefined) seen.push([Number(world.chain.dag.nextBlockNumber()), onDisk()]);
      if (isLooking) setImmediate(look);
    };
    look();
    world.onReported = (event) => {
      if (event.type === "blockAdded") seen.push([Number(event.block.number) + 1, onDisk()]);
    };
    await world.follow(new MemorySource(made), { store });
    isLooking = false;
    expectSame(world);
    expect(world.chainEvents.filter(({ type }) => type === "blockAdded")).toHaveLength(blocks);
    expect(seen.filter(([height, written]) => height > written)).toEqual([]);
    expect(seen.at(-1)).toEqual([blocks + 1, blocks + 1]);
    // One for the log, one for genesis, and those for all that come after it.
    expect(writes).toBeLessThan(6);
  });

  test("has what came before a message that cannot be taken, and goes on there", async () => {
    const port = copyOf(made);
    await forge(port, 4, async () => [{ base: "00".repeat(32) }, {}]);
    const world = new ReplicaWorld();
    const events: ReplicaEvent[] = [];
    const until = (event: ReplicaEvent) => {
      events.push(event);
      return false;
    };
    await expect(world.follow(new MemorySource(port), { until })).rejects.toThrow("its state");
    expect(events.flatMap((event) => (event.type === "took" && event.kind === "block" ? [event.number] : []))).toEqual([
      0, 1, 2, 3,
    ]);
    expect(world.chainStore.table("blocksByHeight").count()).toBe(4);
    await world.follow(new MemorySource(made));
    expectSame(world);
  });

  test("fetches what was too long for a message, and reports a part that is missing", async () => {
    const port = new MemoryPort();
    port.maxBytes = 20_000;
    await publishAll(origin, { port });
    const world = new ReplicaWorld();
    await world.follow(new MemorySource(port));
    expectSame(world);
    const part = [...port.messages.keys()].find((subject) => subject.includes(".part."))!;
    port.messages.delete(part);
    await expect(new ReplicaWorld().follow(new MemorySource(port))).rejects.toThrow("of its message is not there");
  });

  test("follows a stream that was lost and is filled anew, and reports messages that are kept no longer", async () => {
    const own = await LoggedChain.begin(2);
    const world = new ReplicaWorld();
    await world.follow(new MemorySource(await publishAll(own)));
    await own.grow();
    const port = new MemoryPort();
    port.id = "second";
    const source = new MemorySource(await publishAll(own, { port }));
    const [begun] = await world.follow(source);
    expect(begun).toMatchObject({ type: "begun", from: 1, isOther: true });
    expectSame(world, own);
    await own.grow();
    await publishAll(own, { port });
    // The statement about the block before, the next one's message, the statement about that, and that it is final.
    source.first = lastFollowed(port) - 3;
    const events = await world.follow(source);
    expect(events[0]).toMatchObject({ type: "begun" });
    expectSame(world, own);
  });
});

describe("cursors of events", () => {
  /** All entries of a replica's log, by their cursors. */
  const entriesOf = ({ log }: ReplicaWorld) =>
    Array.from({ length: log!.newest() }, (_, at) => {
      const { kind, hash } = log!.read(at + 1)!;
      return `${log!.cursorOf(at + 1)} ${kind} ${toHex(hash)}`;
    });

  test("are the same at all that follow a stream, however they took it, and each goes on after any of them", async () => {
    const first = new ReplicaWorld();
    await first.follow(new MemorySource(made), { maxTotal: 1 });
    const second = new ReplicaWorld();
    for (let left = 3; left > 0; left -= 1)
      await second.follow(new MemorySource(made), { maxTotal: 4, until: ({ type }) => type === "took" });
    await second.follow(new MemorySource(made));
    expect(entriesOf(second)).toEqual(entriesOf(first));
    expect(entriesOf(first)[0]).toMatch(/^[0-9a-f]{16}-[0-9]+\.0 chainStarted /);
    for (let entry = 1; entry <= first.log!.newest(); entry += 1) {
      const cursor = first.log!.cursorOf(entry);
      expect(second.log!.placeOf(cursor).entry).toBe(entry);
      expect(second.log!.placeOf(`${cursor}-1-2`)).toMatchObject({ entry, part: 1, index: 2 });
    }
    const [log] = first.log!.cursorOf(1).split("-");
    expect(() => first.log!.placeOf(`${log}-1.9`)).toThrow("kept no longer");
    expect(() => first.log!.placeOf(`${"0".repeat(16)}-1.0`)).toThrow("belongs to another log");
  });

  test("of a message that is not there yet must be requested again, and are not lost", async () => {
    const ahead = new ReplicaWorld();
    await ahead.follow(new MemorySource(made));
    const behind = new ReplicaWorld();
    await behind.follow(new MemorySource(made), { maxTotal: 1, until: ({ type }) => type === "took" });
    const cursor = ahead.log!.cursorOf(ahead.log!.newest());
    expect(() => behind.log!.placeOf(cursor)).toThrow("not yet where the cursor is");
    // It has begun again, and has not read yet which stream there is.
    const { log } = behind.open();
    expect(() => log.placeOf(cursor)).toThrow("not yet where the cursor is");
    await behind.follow(new MemorySource(made));
    expect(behind.log!.placeOf(cursor).entry).toBe(behind.log!.newest());
  });

  test("of a replica that missed messages hold again after a block that came since is final", async () => {
    const own = await LoggedChain.begin(2);
    const port = await publishAll(own);
    const [whole, other] = [new ReplicaWorld(), new ReplicaWorld()];
    for (const world of [whole, other]) await world.follow(new MemorySource(port));
    const before = other.log!.newest();
    await own.grow();
    await publishAll(own, { port });
    const source = new MemorySource(port);
    source.first = readPlace(other.chainStore)!.sequence + 2;
    await whole.follow(new MemorySource(port));
    await other.follow(source).catch(() => undefined);
    await other.follow(new MemorySource(port));
    expect(entriesOf(other).slice(0, before)).toEqual(entriesOf(whole).slice(0, before));
    await own.grow();
    await publishAll(own, { port });
    for (const world of [whole, other]) await world.follow(new MemorySource(port));
    const unnamed = entriesOf(other).filter((text) => !text.includes("."));
    expect(unnamed.length).toBeGreaterThan(0);
    expect(entriesOf(other).at(-1)).toBe(entriesOf(whole).at(-1));
    expect(entriesOf(other).at(-1)).toContain(".");
    // A cursor from where its own names did not hold is refused rather than taken for another place: for a minute it is
    // left to others.
    const lost = whole.log!.cursorOf(before + 1);
    expect(() => other.log!.placeOf(lost)).toThrow("use another node of the fleet");
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 60_000 });
    onTestFinished(() => void vi.useRealTimers());
    expect(() => other.log!.placeOf(lost)).toThrow("kept no longer");
  });
});

describe("a replica stops before", () => {
  const stopsAt = async (port: MemoryPort, height: number, words: string | RegExp) => {
    const world = new ReplicaWorld();
    await expect(world.follow(new MemorySource(port))).rejects.toThrow(words);
    const { chain } = world.open();
    expect(chain.dag.nextBlockNumber()).toBe(BigInt(height));
    // The mended stream is gone on with.
    await world.follow(new MemorySource(made));
    expectSame(world);
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
        expectSame(world);
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
    expectSame(world);
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
      expectSame(world);
    }
    const port = copyOf(made);
    port.messages.set("vedette.test.something.else", new Uint8Array(1));
    const world = new ReplicaWorld();
    await world.follow(new MemorySource(port));
    expectSame(world);
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
    expectSame(other);
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
