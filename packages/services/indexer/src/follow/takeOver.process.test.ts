import { until } from "@vedette/testing";
import { sql } from "kysely";
import { afterAll, describe, expect, test } from "vitest";
import { type IndexDatabase, type IndexLocation, openDatabase } from "../database/openDatabase.js";
import { type LeaseTimes, WriterLease } from "../database/WriterLease.js";
import { FakeChainFeed, postgresDirectory, TestPlaces } from "../testing/index.js";
import type { FeedChanges } from "./ChainFeed.js";
import { type IndexEvent, IndexFollower } from "./IndexFollower.js";

/** No lease ends by the clock here, however slow the machine is: {@link endLease} ends it. */
const hour: LeaseTimes = { lease: 3_600_000, renew: 3_600_000 };
const pauses = { failure: 5, longestFailure: 20, standBy: 5 };

/** Does to a lease what the time does that it lasts. */
async function endLease(place: IndexLocation): Promise<void> {
  await using database = await openDatabase(place);
  await sql`update index_writer set until = 'epoch'`.execute(database.db);
}

/** One of several that could write an index, and the events that it emits. */
class Member implements AsyncDisposable {
  readonly events: IndexEvent[] = [];
  readonly #database: IndexDatabase;
  readonly #looks: (() => void)[] = [];
  readonly #ended = new AbortController();
  readonly #run: Promise<void>;

  private constructor(database: IndexDatabase, name: string, feed: FakeChainFeed) {
    this.#database = database;
    const leased = { ...database, lease: new WriterLease(database.db, name, hour) };
    const emit = (event: IndexEvent) => {
      this.events.push(event);
      for (const look of this.#looks.splice(0)) look();
    };
    this.#run = new IndexFollower({ database: leased, feed, emit, pauses }).run(this.#ended.signal);
  }

  static async start(place: IndexLocation, name: string, feed: FakeChainFeed): Promise<Member> {
    return new Member(await openDatabase(place), name, feed);
  }

  /** Waits until an event was emitted, at any time. */
  async emits(type: IndexEvent["type"], isIt: (event: IndexEvent) => boolean = () => true): Promise<IndexEvent> {
    for (;;) {
      const found = this.events.find((event) => event.type === type && isIt(event));
      if (found !== undefined) return found;
      await new Promise<void>((resolve) => this.#looks.push(resolve));
    }
  }

  /** Waits until the tables have a height. */
  async reaches(height: number): Promise<void> {
    await until(`a block of height ${height} in the tables`, async () => {
      const found = this.#database.db.selectFrom("blocks").select("block_number").where("block_number", "=", height);
      return (await found.execute().catch(() => [])).length > 0;
    });
  }

  /** Ends it without a word to the others. */
  async vanish(): Promise<void> {
    await this.#database[Symbol.asyncDispose]();
    await this[Symbol.asyncDispose]();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ended.abort();
    await this.#run;
    await this.#database[Symbol.asyncDispose]();
  }
}

const compared = ["chain_blocks", "block_deploys", "deploys", "movements", "balances", "traffic", "block_parents"];

/** Returns the content of the tables, without the numbers of rows. */
async function contentOf(place: IndexLocation): Promise<Record<string, string[]>> {
  await using database = await openDatabase(place);
  const found: Record<string, string[]> = {};
  for (const table of compared) {
    const rows: Record<string, unknown>[] = await database.db.selectFrom(table).selectAll().execute();
    found[table] = rows
      .map((row) => {
        const shown = Object.entries(row).filter(([name]) => !/^(id|.*_id)$/.test(name) || name === "deploy_id");
        return JSON.stringify(shown, (_, value: unknown) => (typeof value === "bigint" ? String(value) : value));
      })
      .sort();
  }
  return found;
}

describe.skipIf(postgresDirectory === undefined)("of several that could write an index of a PostgreSQL", () => {
  const places = new TestPlaces("postgres");
  afterAll(() => places[Symbol.asyncDispose]());

  /** The same as one that one process made from nothing. */
  async function expectAsMadeAnew(place: IndexLocation, feed: FakeChainFeed): Promise<void> {
    const other = await places.place();
    {
      await using alone = await Member.start(other, "alone", feed);
      await alone.emits("indexComplete");
    }
    expect(await contentOf(place)).toEqual(await contentOf(other));
  }

  function feeds(): [FakeChainFeed, FakeChainFeed] {
    return [new FakeChainFeed({ log: "a-" }), new FakeChainFeed({ log: "b-" })];
  }

  test("one writes, and another goes on when it has ended, or is gone without a word", async () => {
    const place = await places.place();
    const [one, other] = feeds();
    for (const feed of [one, other]) feed.grow(110);
    const first = await Member.start(place, "first", one);
    await first.emits("indexComplete");
    const second = await Member.start(place, "second", other);
    expect(await second.emits("indexStandsBy")).toEqual({ type: "indexStandsBy", writer: "first" });
    for (const feed of [one, other]) feed.grow(3);
    await first.reaches(112);
    // The rows that the other one wrote are reported to the one that answers from the tables.
    await second.emits("indexChanged", (event) => "height" in event && event.height === "112");
    await first[Symbol.asyncDispose]();
    expect(await second.emits("indexTakenOver")).toMatchObject({ writer: "first", height: "12" });
    other.grow(4);
    await second.reaches(116);
    await expectAsMadeAnew(place, other);

    const third = await Member.start(place, "third", one);
    await third.emits("indexStandsBy");
    await second.vanish();
    await endLease(place);
    one.grow(10);
    expect(await third.emits("indexTakenOver")).toMatchObject({ writer: "second" });
    await third.reaches(122);
    await third[Symbol.asyncDispose]();
    await expectAsMadeAnew(place, one);
    for (const { events } of [first, second, third]) expect(events.map(({ type }) => type)).not.toContain("indexAnew");
  });

  test("one that ended while it went through all blocks is gone on from where it was", async () => {
    const place = await places.place();
    const [one, other] = feeds();
    for (const feed of [one, other]) feed.grow(130);
    const first = await Member.start(place, "first", one);
    await first.emits("indexChanged");
    await first[Symbol.asyncDispose]();
    await using second = await Member.start(place, "second", other);
    const { height } = (await second.emits("indexTakenOver")) as { readonly height: string };
    expect(Number(height)).toBeLessThan(130);
    await second.emits("indexComplete");
    await expectAsMadeAnew(place, other);
  });

  test("one that stalled and lost the lease changes nothing any more, and waits", async () => {
    const place = await places.place();
    const [one, other] = feeds();
    for (const feed of [one, other]) feed.grow(30);
    let goOn: () => void = () => {};
    let isStill = false;
    const changes = one.changes.bind(one);
    one.changes = async (cursor): Promise<FeedChanges> => {
      const answer = await changes(cursor);
      if (answer.kind === "changes" && answer.changes.length > 0) {
        isStill = true;
        await new Promise<void>((resolve) => {
          goOn = resolve;
        });
      }
      return answer;
    };
    // It renews nothing: as a process that is stopped.
    const first = await Member.start(place, "first", one);
    await first.emits("indexComplete");
    const second = await Member.start(place, "second", other);
    await second.emits("indexStandsBy");
    for (const feed of [one, other]) feed.grow(5);
    await until("the writer to stall amid a step", () => isStill);
    await endLease(place);
    await second.emits("indexTakenOver");
    await second.reaches(34);
    goOn();
    expect(await first.emits("indexFailed")).toMatchObject({
      reason: "lost the writer lease: another process took it after a silence of this one",
    });
    expect(await first.emits("indexStandsBy")).toMatchObject({ writer: "second" });
    await first[Symbol.asyncDispose]();
    await second[Symbol.asyncDispose]();
    await expectAsMadeAnew(place, other);
  });

  test("one with a node that is behind waits for it, and one with a node that has other final blocks writes nothing", async () => {
    const place = await places.place();
    const [one, other] = feeds();
    one.grow(30);
    other.grow(20);
    const first = await Member.start(place, "first", one);
    await first.emits("indexComplete");
    await first[Symbol.asyncDispose]();
    const before = await contentOf(place);
    {
      const stranger = new FakeChainFeed({ log: "c-", chain: "other " });
      stranger.grow(40);
      await using third = await Member.start(place, "third", stranger);
      expect(await third.emits("indexFailed")).toMatchObject({
        reason: expect.stringContaining(
          "the final block of height 28 in the index, written by first, differs from this node",
        ),
      });
    }
    let looks = 0;
    const blocks = other.blocks.bind(other);
    other.blocks = (from) => {
      looks += 1;
      return blocks(from);
    };
    await using second = await Member.start(place, "second", other);
    expect(await second.emits("indexAhead")).toEqual({ type: "indexAhead", height: "28", writer: "first" });
    // It reports that once, however often it looks.
    const looksBefore = looks;
    await until("two more looks at the node's blocks", () => looks >= looksBefore + 2);
    expect(second.events.filter(({ type }) => type === "indexAhead")).toHaveLength(1);
    expect(await contentOf(place)).toEqual(before);
    other.grow(12);
    await second.emits("indexTakenOver");
    await second.reaches(31);
    await second[Symbol.asyncDispose]();
    await expectAsMadeAnew(place, other);
  });

  test("one with an expired lease loses it to another", async () => {
    await using database = await places.database();
    const brief = new WriterLease(database.db, "first", { lease: 1, renew: 3_600_000 });
    const other = new WriterLease(database.db, "second", hour);
    await brief.prepare();
    expect(await brief.hold()).toEqual({ isOwn: true, name: "first" });
    await until("the first one's lease to end", async () => (await other.hold()).isOwn);
    expect(await brief.hold()).toEqual({ isOwn: false, name: "second" });
    await other.release();
  });

  test("one that is started again takes its own lease back at once", async () => {
    const place = await places.place();
    const feed = new FakeChainFeed({ log: "a-" });
    feed.grow(30);
    const first = await Member.start(place, "first", feed);
    await first.emits("indexComplete");
    await first.vanish();
    await using again = await Member.start(place, "first", feed);
    feed.grow(2);
    await again.reaches(31);
    expect(again.events.map(({ type }) => type)).not.toContain("indexStandsBy");
  });
});
