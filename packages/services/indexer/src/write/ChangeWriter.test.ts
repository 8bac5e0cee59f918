import { afterAll, describe, expect, test } from "vitest";
import { isAnew, migrate } from "../schema/migrate.js";
import { openTables } from "../schema/tables.js";
import { databaseKinds, madeBlock, madeDeploy, madeHash, madeUser, TestPlaces } from "../testing/index.js";
import { idHashOf } from "./blockRows.js";
import { ChangeWriter } from "./ChangeWriter.js";
import { undecidedDeploys } from "./decisions.js";
import { readPosition } from "./state.js";

const [u1, u2] = [madeUser("u1"), madeUser("u2")];
const nowhere = { cursor: undefined, backfill: undefined };

async function index(places: TestPlaces) {
  const database = await places.database();
  return {
    ...{ database, db: database.db, writer: new ChangeWriter(database) },
    rows: (table: string) => database.db.selectFrom(table).selectAll().execute(),
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  };
}

describe.each(databaseKinds)("on %s, the index", (kind) => {
  const places = new TestPlaces(kind);
  afterAll(() => places[Symbol.asyncDispose]());

  test("has every table and view with the columns that are described", async () => {
    await using made = await index(places);
    for (const { name, columns } of openTables) {
      const rows = await made.db.selectFrom(name).select(Object.keys(columns)).execute();
      expect([name, rows.length]).toEqual([name, name === "network_stats_view" ? 1 : 0]);
    }
    expect(await migrate(made.database)).toEqual([]);
  });

  test("makes its tables anew where another version made them, and reports it", async () => {
    await using made = await index(places);
    await made.writer.write([{ kind: "blockAdded", block: madeBlock("b", 1) }], {
      cursor: "here",
      backfill: undefined,
    });
    await made.db.deleteFrom("kysely_migration").where("name", "<>", "001_tables").execute();
    const steps = await migrate(made.database);
    expect([steps.length, isAnew(steps)]).toEqual([8, true]);
    expect(await made.rows("blocks")).toEqual([]);
    expect((await readPosition(made.database)).cursor).toBeUndefined();
  });

  test("writes blocks, deploys, transfers, stakes, balances, counts", async () => {
    await using made = await index(places);
    made.writer.setEpoch({ epochLength: 2n, quarantineLength: 10n });
    const deploy = madeDeploy("first", { errored: true, error: "out of \0phlo", term: "auction \u{1F600}" });
    const paid = madeDeploy("second", { cost: 7n, phloPrice: 3n, term: `@"x"!(1) | @5!(2)` });
    const transfer = { kind: "deploy", from: u1.address, to: u2.address, amount: 150_000_000n } as const;
    const block = madeBlock("b", 2, {
      parents: [madeHash("a"), madeHash("c")],
      deploys: [deploy, paid],
      transfers: [
        { ...transfer, failReason: undefined, deployId: paid.id },
        {
          kind: "closeBlock",
          from: u2.address,
          to: u1.address,
          amount: 3n,
          failReason: undefined,
          deployId: undefined,
        },
      ],
      balances: [{ address: u1.address, dust: 90n }],
      slashings: [{ position: 0, issuer: u1.key, invalidBlockHash: madeHash("bad"), error: undefined }],
    });
    const changes = [
      { kind: "blockAdded", block },
      { kind: "blockFinalized", hash: block.hash, rejections: [] },
    ] as const;
    await made.writer.write(changes, { cursor: "here", backfill: undefined });
    expect(await readPosition(made.database)).toEqual({ cursor: "here", backfill: undefined });
    expect(await made.rows("blocks")).toMatchObject([
      {
        block_number: 2n,
        finalization_status: "finalized",
        fate: "finalized",
        errored_count: 1n,
        phlo_cost: 257n,
        fees_dust: 271n,
      },
    ]);
    expect(await made.rows("block_parents")).toMatchObject([{ parent_index: 0n }, { parent_index: 1n }]);
    const deployments = await made.db.selectFrom("deployments").selectAll().orderBy("phlo_cost").execute();
    expect(deployments).toMatchObject([
      { deploy_id: paid.id, fate: "finalized", term: paid.term, deployer_address: u1.address },
      {
        ...{ deploy_id: deploy.id, fate: "failedSoFar", error_message: "out of \uFFFDphlo" },
        deployment_type: "auction_contract",
      },
    ]);
    expect(await made.rows("transfers")).toMatchObject([
      { amount_dust: 150_000_000n, from_public_key: u1.key, status: "success", fate: "finalized" },
    ]);
    expect(Number((await made.rows("transfers"))[0]?.["amount_asi"])).toBe(1.5);
    expect(await made.rows("system_transfers")).toMatchObject([{ amount_dust: 3n, kind: "closeBlock" }]);
    expect(await made.rows("validator_bonds")).toMatchObject([{ stake: 1_000n }, { stake: 10n }]);
    expect(await made.rows("block_validators")).toHaveLength(1);
    expect(await made.rows("balances")).toMatchObject([{ address: u1.address, balance_dust: 90n }]);
    expect(await made.rows("slashings")).toMatchObject([{ invalid_block_hash: madeHash("bad") }]);
    expect(await made.rows("epoch_transitions")).toMatchObject([{ epoch_number: 1n, start_block: 2n, end_block: 3n }]);
    expect(await made.rows("statistics_by_day")).toMatchObject([{ blocks: 1n, deployments: 2n, transfers: 1n }]);
    expect(await made.db.selectFrom("validators").selectAll().orderBy("total_stake").execute()).toMatchObject([
      { total_stake: 10n, first_seen_block: 2n, status: "active" },
      { total_stake: 1_000n, last_seen_block: 2n },
    ]);
  });

  test("writes public names that deploys wrote and read, but none of a deploy that failed", async () => {
    await using made = await index(places);
    const names = [
      { name: '@"x"', channelHash: madeHash("x"), writes: 2, reads: 0 },
      { name: "@5", channelHash: madeHash("5"), writes: 1, reads: 3 },
    ];
    const deploys = [madeDeploy("used", { names }), madeDeploy("failed", { names, errored: true })];
    const block = madeBlock("b", 1, { deploys });
    await made.writer.write([{ kind: "blockAdded", block }], { cursor: "here", backfill: undefined });
    const [written, read] = [await made.rows("name_writes"), await made.rows("name_reads")];
    const of = (rows: typeof written, count: string) => rows.map((row) => `${row["name"]} ${row[count]}`).sort();
    expect([of(written, "writes"), of(read, "reads")]).toEqual([['@"x" 2', "@5 1"], ["@5 3"]]);
    expect(new Set([...written, ...read].map((row) => row["deploy_id"]))).toEqual(new Set([deploys[0]!.id]));
  });

  test("writes the final outcome of a deploy when that is decided, and not before", async () => {
    await using made = await index(places);
    const failing = madeDeploy("failing", { errored: true });
    const lost = madeDeploy("lost");
    const blocks = [
      madeBlock("final", 1, { deploys: [failing], fate: "finalized" }),
      madeBlock("aside", 1, { deploys: [lost, failing], fate: "forkedAway" }),
    ];
    const added = blocks.map((block) => ({ kind: "blockAdded", block }) as const);
    await made.writer.write(added, nowhere);
    const fates = async (table: string) =>
      (await made.rows(table))
        .map((row) => `${row["deploy_id"] === lost.id ? "lost" : "failing"} ${row["fate"]}`)
        .sort();
    expect(await fates("deployments")).toEqual(["failing failedSoFar", "lost forkedAway"]);
    const undecided = await undecidedDeploys(made.database, { from: 0n, to: 9n });
    expect(undecided.map(({ id }) => id).sort()).toEqual([failing.id, lost.id].sort());
    await made.writer.judge(
      new Map([
        [failing.id, "failed"],
        [lost.id, "expired"],
      ] as const),
    );
    expect(await fates("deployments")).toEqual(["failing failed", "lost expired"]);
    expect(await fates("block_deploys")).toEqual(["failing failed", "failing forkedAway", "lost expired"]);
    expect(await undecidedDeploys(made.database, { from: 0n, to: 9n })).toEqual([]);
  });

  test("writes the mean time between blocks, to the one before each", async () => {
    await using made = await index(places);
    // Genesis, two blocks within its ten minutes, and one a quarter of an hour later.
    const [first, ...later] = [0n, 4_000n, 10_000n, 910_000n].map((ms, number) =>
      madeBlock(`b${number}`, number, { timestamp: 1_700_000_000_000n + ms }),
    );
    const added = [first!, ...later].map((block) => ({ kind: "blockAdded", block }) as const);
    await made.writer.write(added, nowhere);
    const rows = await made.db.selectFrom("network_metrics_buckets").selectAll().orderBy("bucket_start").execute();
    expect(rows.map((row) => Number(row["avg_block_time_sec"]))).toEqual([5, 900]);
    await made.writer.write([{ kind: "blockOrphaned", hash: later[2]!.hash }], nowhere);
    const [before, after] = await made.db
      .selectFrom("network_metrics_buckets")
      .selectAll()
      .orderBy("bucket_start")
      .execute();
    expect([Number(before!["avg_block_time_sec"]), after!["avg_block_time_sec"]]).toEqual([5, null]);
  });

  test("writes the balances of one of several blocks of a height, in whatever order they came", async () => {
    const sameHeight = ["b1", "b2", "b3"].map((name, at) =>
      madeBlock(name, 5, { balances: [{ address: u1.address, dust: BigInt(at) }] }),
    );
    const last = [...sameHeight].sort((one, other) => (one.hash < other.hash ? -1 : 1)).at(-1)!;
    for (const order of [sameHeight, sameHeight.toReversed(), [sameHeight[1]!, sameHeight[2]!, sameHeight[0]!]])
      for (const isTogether of [true, false]) {
        await using made = await index(places);
        const changes = order.map((block) => ({ kind: "blockAdded", block }) as const);
        if (isTogether) await made.writer.write(changes, nowhere);
        else for (const change of changes) await made.writer.write([change], nowhere);
        expect(await made.rows("balances")).toMatchObject([
          { block_hash: last.hash, balance_dust: last.balances![0]!.dust },
        ]);
      }
  });

  test("marks blocks that lost, and lets the deploy go to the block that counts", async () => {
    await using made = await index(places);
    const deploy = madeDeploy("once");
    const moved = { kind: "deploy", from: u1.address, to: u2.address, amount: 5n, failReason: undefined } as const;
    const content = { deploys: [deploy], transfers: [{ ...moved, deployId: deploy.id }] };
    const [left, right] = ["left", "right"].map((name, at) =>
      madeBlock(name, 1, { ...content, balances: [{ address: u1.address, dust: BigInt(at) }] }),
    );
    const added = [left!, right!].map((block) => ({ kind: "blockAdded", block }) as const);
    await made.writer.write(added, nowhere);
    expect(await made.rows("transfers")).toHaveLength(1);
    await made.writer.write([{ kind: "blockOrphaned", hash: left!.hash }], nowhere);
    await made.writer.write([{ kind: "blockFinalized", hash: right!.hash, rejections: [] }], nowhere);
    const [deployment] = await made.rows("deployments");
    expect(deployment).toMatchObject({ block_hash: right!.hash, fate: "finalized" });
    expect(await made.rows("transfers")).toMatchObject([{ block_hash: right!.hash }]);
    expect(await made.rows("statistics_by_hour")).toMatchObject([{ blocks: 1n, deployments: 1n, transfers: 1n }]);
    expect(await made.rows("balances")).toMatchObject([{ balance_dust: 1n, block_hash: right!.hash }]);
    const rejections = [{ idHash: idHashOf(deploy.id), rejectedBy: madeHash("merge") }];
    await made.writer.write([{ kind: "deploysRejected", hash: right!.hash, rejections }], nowhere);
    expect(await made.rows("deployments")).toMatchObject([{ fate: "rejected", rejected_by: madeHash("merge") }]);
    await made.writer.write([{ kind: "deploysRestored", hash: right!.hash, rejections }], nowhere);
    expect(await made.rows("deployments")).toMatchObject([{ fate: "finalized", rejected_by: null }]);
  });

  test("takes in what was decided of blocks that it has, when it goes through all of them again", async () => {
    const [deploy, other] = [madeDeploy("one"), madeDeploy("two")];
    const [won, lost] = [
      madeBlock("won", 1, { deploys: [deploy, other], balances: [{ address: u1.address, dust: 5n }] }),
      madeBlock("lost", 1, { deploys: [deploy], balances: [{ address: u1.address, dust: 7n }] }),
    ];
    const rejections = [{ idHash: idHashOf(other.id), rejectedBy: madeHash("merge") }];
    const tables = ["blocks", "deployments", "block_deploys", "balances", "transfers", "statistics_by_day"];
    const add = (block: typeof won) => ({ kind: "blockAdded", block }) as const;
    const decided = [
      add({ ...won, fate: "finalized", rejections, faultTolerance: 0.5, finalizedAt: { height: 3n, timestamp: 9n } }),
      add({ ...lost, fate: "forkedAway" }),
    ];
    await using atOnce = await index(places);
    await atOnce.writer.write(decided, nowhere);
    await using late = await index(places);
    await late.writer.write([add(won), add(lost)], nowhere);
    expect((await late.rows("blocks")).map((row) => row["fate"])).toEqual(["pending", "pending"]);
    // A database gives rows in any order.
    const inOrder = async (made: typeof late, table: string) =>
      (await made.rows(table)).map((row) => Object.entries(row).map(String).join()).sort();
    for (let times = 0; times < 2; times += 1) {
      await late.writer.write(decided, nowhere);
      for (const table of tables) expect(await inOrder(late, table), table).toEqual(await inOrder(atOnce, table));
    }
    // A writer with fewer facts takes nothing back.
    await late.writer.write([add(won)], nowhere);
    expect(await inOrder(late, "blocks")).toEqual(await inOrder(atOnce, "blocks"));
  });

  test("writes when blocks became final, once, and the lag of those of which it is known", async () => {
    await using made = await index(places);
    const [one, two, three, unknown] = [madeBlock("1", 1), madeBlock("2", 2), madeBlock("3", 3), madeBlock("4", 4)];
    const momentOf = ({ number, timestamp }: typeof one, heights: bigint, ms: bigint) => {
      return { height: number + heights, timestamp: timestamp + ms };
    };
    const final = (block: typeof one, finalizedAt?: ReturnType<typeof momentOf>) =>
      ({ kind: "blockFinalized", hash: block.hash, rejections: [], finalizedAt }) as const;
    const added = { ...one, fate: "finalized", finalizedAt: momentOf(one, 2n, 10_000n) } as const;
    const blocks = [added, two, three, unknown].map((block) => ({ kind: "blockAdded", block }) as const);
    await made.writer.write(blocks, nowhere);
    const changes = [final(two, momentOf(two, 1n, 4_000n)), final(three, momentOf(three, 0n, 0n)), final(unknown)];
    // Another node, or the same one again, may report another moment.
    const later = [final(one, momentOf(one, 9n, 90_000n)), final(two, momentOf(two, 9n, 90_000n)), final(unknown)];
    for (const some of [changes, changes, later]) await made.writer.write(some, nowhere);
    const rows = await made.db.selectFrom("blocks").selectAll().orderBy("block_number").execute();
    expect(rows.map((row) => [row["finalized_at_block_number"], row["finalized_at_timestamp"]])).toEqual([
      [3n, one.timestamp + 10_000n],
      [3n, two.timestamp + 4_000n],
      [3n, three.timestamp],
      [null, null],
    ]);
    for (const table of ["statistics_by_hour", "statistics_by_day"]) {
      const [row] = await made.rows(table);
      expect(row).toMatchObject({ blocks: 4n, lagged_blocks: 3n });
      expect(Number(row?.["avg_finality_lag_blocks"])).toBe(1);
      expect(Number(row?.["avg_finality_lag_seconds"])).toBeCloseTo(14 / 3);
    }
  });

  test("has no lag where it is not known of any block when it became final", async () => {
    await using made = await index(places);
    const block = madeBlock("b", 1, { fate: "finalized" });
    await made.writer.write([{ kind: "blockAdded", block }], nowhere);
    expect(await made.rows("statistics_by_hour")).toMatchObject([
      { lagged_blocks: 0n, avg_finality_lag_blocks: null, avg_finality_lag_seconds: null },
    ]);
  });

  test("writes the same however often a change comes", async () => {
    await using made = await index(places);
    const block = madeBlock("b", 1, { deploys: [madeDeploy("d")], balances: [{ address: u1.address, dust: 9n }] });
    const changes = [
      { kind: "blockAdded", block },
      { kind: "blockAdded", block: madeBlock("c", 2) },
    ] as const;
    const tables = async () => Promise.all(openTables.map(async ({ name }) => [name, await made.rows(name)]));
    await made.writer.write(changes, nowhere);
    const once = await tables();
    await made.writer.write(changes, nowhere);
    expect(await tables()).toEqual(once);
  });

  test("keeps nothing of a transaction that fails", async () => {
    await using made = await index(places);
    const broken = {
      ...madeBlock("x", 2),
      number: "no number" as unknown as bigint,
      seqNum: null as unknown as number,
    };
    const changes = [madeBlock("b", 1), broken].map((block) => ({ kind: "blockAdded", block }) as const);
    await expect(made.writer.write(changes, { cursor: "after", backfill: undefined })).rejects.toThrow();
    expect(await made.rows("blocks")).toEqual([]);
    expect((await readPosition(made.database)).cursor).toBeUndefined();
    await made.writer.write([{ kind: "blockAdded", block: madeBlock("b", 1) }], nowhere);
    expect(await made.rows("validator_bonds")).toHaveLength(2);
  });
});
