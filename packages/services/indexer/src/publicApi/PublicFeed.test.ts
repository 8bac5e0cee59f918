import { HttpClient } from "@vedette/client";
import { afterAll, describe, expect, test } from "vitest";
import type { IndexChange } from "../facts/IndexBlockFacts.js";
import type { FeedChanges } from "../follow/ChainFeed.js";
import { IndexFollower } from "../follow/IndexFollower.js";
import { databaseKinds, FakePublicNode, TestPlaces } from "../testing/index.js";
import { PublicChain } from "./PublicChain.js";
import { PublicFeed } from "./PublicFeed.js";

const feedOf = (node: FakePublicNode) =>
  new PublicFeed(new PublicChain(new HttpClient({ url: "http://node.test", retries: 0, fetch: node.fetch })));

function nodeUpTo(height: number, final: number): FakePublicNode {
  const node = new FakePublicNode();
  node.add({ name: "a0", number: 0, parents: [] });
  node.grow("a", 1, height, "a0");
  node.finalize(`a${final}`);
  return node;
}

type Changes = Extract<FeedChanges, { kind: "changes" }>;

/** All changes after a cursor, and the cursor after them. */
async function follow(feed: PublicFeed, cursor: string): Promise<{ changes: readonly IndexChange[]; cursor: string }> {
  const changes: IndexChange[] = [];
  for (let next = cursor; ; ) {
    const page = (await feed.changes(next)) as Changes;
    changes.push(...page.changes);
    next = page.cursor;
    if (!page.hasMore) return { changes, cursor: next };
  }
}

/** A change as `+a7`, `=a7`, `-a7`: added, final, lost. */
function short(changes: readonly IndexChange[], names: readonly string[]): string[] {
  const byHash = new Map(names.map((name) => [FakePublicNode.hashOf(name), name]));
  const signs = {
    blockAdded: "+",
    blockFinalized: "=",
    blockOrphaned: "-",
    deploysRejected: "!",
    deploysRestored: "?",
  };
  return changes.map((change) => {
    const hash = change.kind === "blockAdded" ? change.block.hash : change.hash;
    return signs[change.kind] + (byHash.get(hash) ?? hash);
  });
}

async function throughAll(feed: PublicFeed): Promise<IndexChange[]> {
  const changes: IndexChange[] = [];
  for (let from: bigint | undefined = 0n; from !== undefined; ) {
    const page = await feed.blocks(from);
    changes.push(...page.changes);
    from = page.next;
  }
  return changes;
}

const upTo = (height: number) => Array.from({ length: height + 1 }, (_, number) => `a${number}`);

test("all blocks are sent with what is decided, then what happens", async () => {
  const node = nodeUpTo(130, 128);
  node.add({ name: "b7", number: 7, parents: ["a6"] });
  const feed = feedOf(node);
  expect(await feed.about()).toEqual({
    begunWith: FakePublicNode.hashOf("a0"),
    epoch: { epochLength: 10n, quarantineLength: 10n },
    blocksSince: 0n,
  });
  const { cursor, nextHeight } = await feed.top();
  expect(nextHeight).toBe(131n);
  const all = await throughAll(feed);
  const names = [...upTo(140), "b7", "c130"];
  expect(new Set(short(all, names))).toEqual(new Set([...upTo(130), "b7"].map((name) => `+${name}`)));
  const fates = new Map(all.flatMap((one) => (one.kind === "blockAdded" ? [[one.block.hash, one.block.fate]] : [])));
  expect(names.slice(0, 131).map((name) => fates.get(FakePublicNode.hashOf(name)))).toEqual([
    ...Array.from({ length: 129 }, () => "finalized"),
    ...["pending", "pending"],
  ]);
  // It lies beside what is final, and later blocks may still build upon it.
  expect(fates.get(FakePublicNode.hashOf("b7"))).toBe("pending");
  const { changes, cursor: next } = await follow(feed, cursor);
  expect(changes).toEqual([]);
  node.add({ name: "c130", number: 130, parents: ["a129"] }, { name: "a131", number: 131, parents: ["a130", "c130"] });
  node.finalize("a131");
  expect(new Set(short((await follow(feed, next)).changes, names))).toEqual(
    new Set(["+c130", "+a131", "=a129", "=a130", "=c130", "=a131"]),
  );
});

test("changes that were not written are sent again, and not all that lies below", async () => {
  const node = nodeUpTo(30, 28);
  const feed = feedOf(node);
  const { cursor: first } = await feed.top();
  await throughAll(feed);
  const { cursor } = await follow(feed, first);
  node.grow("a", 31, 32, "a30");
  node.finalize("a30");
  const answer = (await feed.changes(cursor)) as Changes;
  expect(short(answer.changes, upTo(40))).toEqual(["+a31", "+a32", "=a29", "=a30"]);
  expect(answer.changes.at(-1)).toMatchObject({ kind: "blockFinalized", faultTolerance: 0.25 });
  const again = short(((await feed.changes(cursor)) as Changes).changes, upTo(40));
  expect(again).toEqual(expect.arrayContaining(["+a31", "+a32", "=a29", "=a30"]));
  expect(again.filter((one) => /a[0-8]$/.test(one))).toEqual([]);
});

test("a block that comes late is sent, near the top or as the parent of another", async () => {
  const node = nodeUpTo(60, 58);
  const feed = feedOf(node);
  const { cursor: first } = await feed.top();
  await throughAll(feed);
  const names = [...upTo(70), "b20", "b21", "c50"];
  node.add({ name: "c50", number: 50, parents: ["a49"] });
  const near = (await feed.changes(first)) as Changes;
  expect(short(near.changes, names)).toEqual(["+c50"]);
  node.add({ name: "b20", number: 20, parents: ["a19"] }, { name: "b21", number: 21, parents: ["b20"] });
  const unseen = (await feed.changes(near.cursor)) as Changes;
  expect(unseen.changes).toEqual([]);
  node.add({ name: "a61", number: 61, parents: ["a60", "b21"] });
  node.finalize("a61");
  const { changes, cursor } = (await feed.changes(unseen.cursor)) as Changes;
  expect(new Set(short(changes, names))).toEqual(
    new Set(["+b20", "+b21", "+a61", "=b20", "=b21", "=a59", "=a60", "=a61"]),
  );
  // The branch beside a50 may still be built upon.
  expect(cursor).toMatch(/^public:49:/);
  const another = await follow(feedOf(node), cursor);
  expect(short(another.changes, names)).toEqual(
    expect.arrayContaining(["+a50", "+c50", "+a61", "+b21", "+b20", "=a61"]),
  );
});

test("what lies a thousand heights below a final block is lost, and the cursor goes on", async () => {
  const node = nodeUpTo(1_060, 50);
  node.add({ name: "b40", number: 40, parents: ["a39"] });
  const feed = feedOf(node);
  const { cursor: first } = await feed.top();
  await throughAll(feed);
  node.finalize("a1040");
  const before = (await feed.changes(first)) as Changes;
  expect(before.cursor).toMatch(/^public:39:/);
  node.finalize("a1041");
  const after = (await feed.changes(before.cursor)) as Changes;
  expect(short(after.changes, ["b40", "a1041"])).toEqual(["=a1041", "-b40"]);
  expect(after.cursor).toMatch(/^public:1041:/);
});

test("it takes what a node offers: fewer heights at once, no programs, a chain without its beginning", async () => {
  const node = new FakePublicNode();
  node.limit = 7;
  node.isValidator = true;
  node.grow("a", 37, 80, "a36");
  node.finalize("a79");
  const feed = feedOf(node);
  expect(await feed.about()).toEqual({ begunWith: FakePublicNode.hashOf("a37"), epoch: undefined, blocksSince: 37n });
  expect(short(await throughAll(feed), upTo(80))).toEqual(
    upTo(80)
      .slice(37)
      .map((name) => `+${name}`),
  );
  expect(await feed.changes("another-feed:12")).toEqual({ kind: "gone" });
});

describe.each(databaseKinds)("on %s", (kind) => {
  const places = new TestPlaces(kind);
  afterAll(() => places[Symbol.asyncDispose]());

  test("an index that was stopped again and again equals one that was made at once", async () => {
    const node = new FakePublicNode();
    node.add({ name: "a0", number: 0, parents: [], terms: ["genesis"] });
    const [slow, quick] = [await places.database(), await places.database()];
    const rowsOf = async ({ db }: typeof slow) => {
      const blocks = await db.selectFrom("blocks").selectAll().orderBy("block_hash").execute();
      const deploys = await db.selectFrom("deployments").selectAll().orderBy("deploy_id").execute();
      const counts = await db.selectFrom("statistics_by_day").selectAll().execute();
      const rows = blocks.map(({ fault_tolerance, ...row }) => row);
      return [rows, deploys, counts, await db.selectFrom("network_stats").selectAll().execute()];
    };
    const run = async (database: typeof slow) => {
      const ended = new AbortController();
      const failures: unknown[] = [];
      const feed = Object.assign(feedOf(node), { wait: async () => ended.abort() });
      const emit = (event: { readonly type: string }) => {
        if (event.type !== "indexFailed") return;
        failures.push(event);
        ended.abort();
      };
      await new IndexFollower({ database, feed, emit }).run(ended.signal);
      expect(failures).toEqual([]);
    };
    node.finalize("a0");
    for (let round = 0; round < 6; round += 1) {
      const from = round * 20 + 1;
      for (let number = from; number < from + 20; number += 1) {
        const terms = number % 3 === 0 ? [`of ${number}`, `fails in ${number}`] : [];
        node.add({ name: `a${number}`, number, parents: [`a${number - 1}`], terms });
        if (number % 7 === 0) node.add({ name: `b${number}`, number, parents: [`a${number - 1}`], terms });
      }
      node.finalize(`a${from + 16}`);
      await run(slow);
    }
    await run(quick);
    const [expected, found] = [await rowsOf(quick), await rowsOf(slow)];
    expect(found).toEqual(expected);
    expect(expected[0]).toHaveLength(121 + 17);
    expect(await slow.db.selectFrom("transfers").selectAll().execute()).toEqual([]);
  });
});
