import { sql } from "kysely";
import { afterAll, describe, expect, test } from "vitest";
import { type IndexDatabase, openDatabase } from "../database/openDatabase.js";
import { databaseKinds, FakeChainFeed, madeDeploy, TestPlaces } from "../testing/index.js";
import { readKnownSince } from "../write/state.js";
import type { ChainFeed } from "./ChainFeed.js";
import { type IndexEvent, IndexFollower } from "./IndexFollower.js";
import { rebuildIndex } from "./rebuildIndex.js";

/** Between looks after failures: short, as nothing is gained by waiting. */
const pauses = { failure: 20, longestFailure: 50 };

/** A running follower, and the events that it emits. */
class Running implements AsyncDisposable {
  readonly events: IndexEvent[] = [];
  readonly #ended = new AbortController();
  readonly #run: Promise<void>;
  readonly #waiting: (() => void)[] = [];

  constructor(database: IndexDatabase, feed: FakeChainFeed) {
    const emit = (event: IndexEvent) => {
      this.events.push(event);
      for (const wake of this.#waiting.splice(0)) wake();
    };
    this.#run = new IndexFollower({ database, feed, emit, pauses }).run(this.#ended.signal);
  }

  /** Waits for an event that is emitted from now on. */
  async receives(type: IndexEvent["type"], isIt: (event: IndexEvent) => boolean = () => true): Promise<IndexEvent> {
    for (let from = this.events.length; ; ) {
      const found = this.events.slice(from).find((event) => event.type === type && isIt(event));
      if (found !== undefined) return found;
      from = this.events.length;
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ended.abort();
    await this.#run;
  }
}

const isAt = (height: number) => (event: IndexEvent) =>
  event.type === "indexChanged" && event.height === String(height);

async function heightsOf({ db }: IndexDatabase): Promise<number[]> {
  const rows: { readonly block_number: bigint }[] = await db
    .selectFrom("blocks")
    .select("block_number")
    .orderBy("block_number")
    .execute();
  return rows.map(({ block_number: number }) => Number(number));
}

const upTo = (height: number) => Array.from({ length: height }, (_, number) => number);

describe.each(databaseKinds)("on %s, an index", (kind) => {
  const places = new TestPlaces(kind);
  afterAll(() => places[Symbol.asyncDispose]());

  test("waits while the node is busy, and then has all that came meanwhile", async () => {
    await using database = await places.database();
    const feed = new FakeChainFeed();
    feed.grow(5);
    feed.isBusy = true;
    await using running = new Running(database, feed);
    await running.receives("indexWaits");
    expect(await heightsOf(database)).toEqual([]);
    feed.isBusy = false;
    const complete = running.receives("indexComplete");
    feed.grow(30);
    await complete;
    feed.isBusy = true;
    const waits = running.receives("indexWaits");
    feed.grow(10);
    await waits;
    expect(await heightsOf(database)).toEqual(upTo(35));
    feed.isBusy = false;
    const grown = running.receives("indexChanged", isAt(44));
    feed.wake();
    await grown;
    expect(await heightsOf(database)).toEqual(upTo(45));
    const types = running.events.map(({ type }) => type);
    expect(types.filter((type) => type !== "indexChanged")).toEqual([
      ...["indexOpened", "indexWaits", "indexKnown", "indexBegun", "indexComplete", "indexWaits", "indexResumed"],
    ]);
  });

  test("reads the final status of deploys, while it reads all blocks and when a block becomes final", async () => {
    await using database = await places.database();
    const feed = new FakeChainFeed();
    for (const height of [2, 6]) feed.failing.add(height);
    const asked: string[] = [];
    feed.verdicts = async (deploys) =>
      deploys.map(({ id }) => {
        asked.push(id);
        return id === madeDeploy("of 2").id || feed.height > 20 ? "failed" : undefined;
      });
    feed.grow(10);
    await using running = new Running(database, feed);
    await running.receives("indexComplete");
    const fates = async () => {
      const rows = await database.db.selectFrom("deployments").select(["deploy_id", "fate"]).execute();
      return [2, 6].map((height) => rows.find((row) => row["deploy_id"] === madeDeploy(`of ${height}`).id)?.["fate"]);
    };
    expect(await fates()).toEqual(["failed", "failedSoFar"]);
    const grown = running.receives("indexChanged", isAt(21));
    feed.grow(12);
    await grown;
    expect(await fates()).toEqual(["failed", "failed"]);
    expect(new Set(asked).size).toBe(2);
  });

  test("reports from which height on it has all of the chain, where its node began later", async () => {
    await using database = await places.database();
    const feed = new FakeChainFeed();
    feed.blocksSince = 3n;
    feed.grow(5);
    await using running = new Running(database, feed);
    const known = await running.receives("indexKnown");
    expect(known).toEqual({ type: "indexKnown", since: "3" });
    expect(await readKnownSince(database.db)).toBe(3n);
    // The node does not know the effects of these blocks.
    feed.lacksEffects = true;
    const later = running.receives("indexKnown");
    feed.grow(2);
    expect(await later).toEqual({ type: "indexKnown", since: "7" });
    feed.lacksEffects = false;
    const grown = running.receives("indexChanged", isAt(9));
    feed.grow(3);
    await grown;
    expect(await readKnownSince(database.db)).toBe(7n);
  });

  test("goes through all blocks, then follows", async () => {
    await using database = await places.database();
    const feed = new FakeChainFeed();
    feed.grow(45);
    await using running = new Running(database, feed);
    await running.receives("indexComplete");
    const grown = running.receives("indexChanged", isAt(59));
    feed.grow(15);
    await grown;
    expect(await heightsOf(database)).toEqual(upTo(60));
    const [{ fates }] = (await database.db
      .selectFrom("blocks")
      .select(sql<bigint>`count(*)`.as("fates"))
      .where("fate", "=", "finalized")
      .execute()) as [{ fates: bigint }];
    expect(Number(fates)).toBe(59);
  });

  test("reports from where it resumes, also where nothing is left to do", async () => {
    await using database = await places.database();
    const feed = new FakeChainFeed();
    feed.grow(45);
    {
      await using running = new Running(database, feed);
      await running.receives("indexChanged");
    }
    const resume = async (isComplete: boolean) => {
      await using running = new Running(database, feed);
      const { height } = (await running.receives("indexResumed")) as { readonly height: string };
      if (!isComplete) await running.receives("indexComplete");
      // It opens its tables, and reports its known facts.
      return [running.events[2], Number(height)];
    };
    const [first, height] = await resume(false);
    expect(first).toMatchObject({ type: "indexResumed", isComplete: false });
    expect(height).toBeLessThan(44);
    expect(await resume(true)).toEqual([{ type: "indexResumed", height: "44", isComplete: true }, 44]);
  });

  test("is rebuilt beside the old one, which answers queries until then, while the chain grows", async () => {
    const place = await places.place();
    const feed = new FakeChainFeed();
    feed.grow(50);
    {
      await using database = await openDatabase(place);
      await using running = new Running(database, feed);
      await running.receives("indexComplete");
    }
    await using old = await openDatabase(place);
    const seen: number[] = [];
    const growing: ChainFeed = {
      about: () => feed.about(),
      top: () => feed.top(),
      changes: (cursor) => feed.changes(cursor),
      wait: (signal) => feed.wait(signal),
      blocks: async (from: bigint) => {
        const answer = await feed.blocks(from);
        if (from > 0n && seen.length < 3) feed.grow(10);
        seen.push((await heightsOf(old)).length);
        return answer;
      },
    };
    expect(await rebuildIndex({ place, feed: growing, emit: () => {} }, new AbortController().signal)).toBe(true);
    expect(new Set(seen)).toEqual(new Set([50]));
    await using database = await openDatabase(place);
    await using running = new Running(database, feed);
    const grown = running.receives("indexChanged", isAt(feed.height));
    feed.grow(1);
    await grown;
    expect(await heightsOf(database)).toEqual(upTo(feed.height));
  });
});

test("an index reports that its disk is full, and continues when there is room again", async () => {
  await using places = new TestPlaces("sqlite");
  await using database = await places.database();
  const feed = new FakeChainFeed();
  feed.grow(30);
  await using running = new Running(database, feed);
  await running.receives("indexComplete");
  // SQLite then reports the same as when the file system has no room.
  const pages = (await sql<{ page_count: bigint }>`pragma page_count`.execute(database.db)).rows[0]!.page_count;
  await sql`pragma max_page_count = ${sql.raw(String(pages))}`.execute(database.db);
  const failed = running.receives("indexFailed");
  feed.grow(400);
  expect(await failed).toMatchObject({ reason: expect.stringContaining("disk is full") as unknown });
  const [whole, recovered, complete] = [
    heightsOf(database),
    running.receives("indexRecovered"),
    running.receives("indexChanged", isAt(429)),
  ];
  // Transactions that did not fit left nothing of them.
  expect(await whole).toEqual(upTo((await whole).length));
  await sql`pragma max_page_count = 1073741823`.execute(database.db);
  await Promise.all([recovered, complete]);
  expect(await heightsOf(database)).toEqual(upTo(430));
});

if (databaseKinds.includes("postgres"))
  test("an index waits for a PostgreSQL that went away, and loses nothing", async () => {
    await using places = new TestPlaces("postgres");
    await using database = await places.database();
    const feed = new FakeChainFeed();
    feed.grow(30);
    await using running = new Running(database, feed);
    await running.receives("indexComplete");
    await places.server.stop();
    const failed = running.receives("indexFailed");
    feed.grow(100);
    await failed;
    const twice = running.receives("indexFailed");
    await twice;
    const [recovered, complete] = [running.receives("indexRecovered"), running.receives("indexChanged", isAt(129))];
    await places.server.resume();
    await Promise.all([recovered, complete]);
    expect(await heightsOf(database)).toEqual(upTo(130));
  });
