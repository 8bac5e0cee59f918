import { fromHex, toHex } from "@vedette/crypto";
import { findOutcome, mergeableIdOf } from "@vedette/execution";
import { accountGenesis, SoloValidator, userDeploy } from "@vedette/node/testing";
import type { Block } from "@vedette/protocol";
import { type Store, StoreError } from "@vedette/store";
import { runs } from "@vedette/testing";
import fc from "fast-check";
import { beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { StreamNames } from "../StreamNames.js";
import { begunWorld } from "../testing/begunWorld.js";
import { copyOf, expectSame, forge } from "../testing/comparedReplicas.js";
import { LoggedChain } from "../testing/LoggedChain.js";
import { MemoryPort } from "../testing/MemoryPort.js";
import { endOfMessages, MemorySource } from "../testing/MemorySource.js";
import { publishAll } from "../testing/publishAll.js";
import { ReplicaWorld } from "../testing/ReplicaWorld.js";
import type { ReplicaEvent } from "./Replica.js";
import { readPlace } from "./StreamPosition.js";

const names = new StreamNames("test");
const blocks = 6;
let origin: LoggedChain;
let made: MemoryPort;

beforeAll(async () => {
  origin = await LoggedChain.begin(blocks);
  made = await publishAll(origin);
});

/** Sequence of the last message that is followed. */
function lastFollowed(port: MemoryPort): number {
  return [...port.messages.keys()].findLastIndex((subject) => !/\.(part|said)\./.test(subject)) + 1;
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
    expectSame(world, origin);
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
        expectSame(world, origin);
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
      expectSame(world, origin);
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
    expectSame(world, origin);
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
    expectSame(world, origin);
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
    expectSame(world, origin);
  });

  test("fetches what was too long for a message, and reports a part that is missing", async () => {
    const port = new MemoryPort();
    port.maxBytes = 20_000;
    await publishAll(origin, { port });
    const world = new ReplicaWorld();
    await world.follow(new MemorySource(port));
    expectSame(world, origin);
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
