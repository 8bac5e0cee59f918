import { Type, tableFromIPC } from "@uwdata/flechette";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type IndexReader, openReader } from "../database/IndexReader.js";
import { databaseKinds, fillIndex, madeBlock, madeDeploy, madeHash, TestPlaces } from "../testing/index.js";
import { csvOf } from "./cells.js";
import { SqlEngine } from "./SqlEngine.js";

const limits = { format: "json", rows: 5, timeoutMs: 600_000 } as const;

describe.each(databaseKinds)("over %s, SQL", (kind) => {
  const places = new TestPlaces(kind);
  let engine: SqlEngine;
  let reader: IndexReader;
  let path: string | undefined;

  beforeAll(async () => {
    const place = await places.place();
    if (place.kind === "sqlite") path = place.path;
    const deploys = [madeDeploy("d", { errored: true, error: '=cmd|"x",\n1' })];
    await fillIndex(place, [madeBlock("b0", 0), madeBlock("b1", 1, { deploys })]);
    reader = await openReader(place);
    engine = new SqlEngine(reader);
  });

  afterAll(async () => {
    await reader[Symbol.asyncDispose]();
    await places[Symbol.asyncDispose]();
  });

  const ask = (query: string, change: object = {}) => engine.answer({ query, ...limits, ...change });

  test("is refused where the tables lack the beginning of the chain, unless that is enough", async () => {
    const place = await places.place();
    await fillIndex(place, [madeBlock("b0", 0, { lacksEffects: true }), madeBlock("b1", 1)]);
    await using part = await openReader(place);
    const query = "select count(*) from transfers";
    expect(await new SqlEngine(part).answer({ query, ...limits })).toMatchObject({
      ...{ kind: "failed", code: "incomplete", message: expect.stringContaining("from block #1 on") },
    });
    expect(await new SqlEngine(part, true).answer({ query, ...limits })).toMatchObject({
      body: "[[0]]",
      knownSince: 1n,
    });
    expect(await ask(query)).toMatchObject({ body: "[[0]]", knownSince: 0n });
  });

  test("returns rows, with columns of the same name, and that there are more", async () => {
    const query = "select block_number, block_number, 'a;b' as text, null as empty from blocks order by 1; -- all";
    expect(await ask(query)).toMatchObject({
      columns: ["block_number", expect.stringMatching(/^block_number/), "text", "empty"],
      body: `[[0,0,"a;b",null],[1,1,"a;b",null]]`,
      isCut: false,
    });
    expect(
      await ask("with n as (select block_number from blocks) select * from n order by 1", { rows: 1 }),
    ).toMatchObject({
      ...{ body: "[[0]]", count: 1, isCut: true },
    });
    expect(await ask("values (1), (9007199254740993)")).toMatchObject({ body: "[[1],[9007199254740993]]" });
  });

  if (kind === "sqlite") {
    test("returns texts whole: with characters of number 0, and bytes that are no UTF-8", async () => {
      const texts = "cast(x'610062' as text) as whole, cast(x'61ff' as text), char(65279) || 'ä', char(55296) = '', ''";
      const query = `select * from (select ${texts}, x'00ff' as whole, x'', 1.5, null) order by 1`;
      expect(await ask(query)).toMatchObject({
        columns: expect.arrayContaining(["whole", "x''"]),
        body: JSON.stringify([["a\0b", "a\uFFFD", "\uFEFFä", 0, "", "00ff", "", 1.5, null]]),
      });
    });

    test("reads bytes in literals, and leaves alone what only looks like one", async () => {
      const query = `select x'ff' as "x'ff'", X'00aB', x'', 'x''ff''' as [x'ff'], 1 /* x'ff' */, typeof(x'00') -- x'ff'`;
      expect(await ask(query)).toMatchObject({
        columns: ["x'ff'", "X'00aB'", "x''", "x'ff':1", "1 /* x'ff' */", "typeof(x'00') -- x'ff'"],
        body: JSON.stringify([["ff", "00ab", "", "x'ff'", 1, "blob"]]),
      });
      expect(await ask("select x'f'")).toMatchObject({ kind: "failed", code: "badQuery" });
      const one = { body: "[[1]]", count: 1 };
      expect(await ask("select block_number from blocks where cast(block_number as blob) = x'31'")).toMatchObject(one);
      // SQLite looks from this beginning on to the next one, which has another last byte.
      const begun = "select count(*) from blocks where block_hash";
      expect(await ask(`${begun} > '' and block_hash glob 'ÿ*'`)).toMatchObject({ body: "[[0]]" });
      expect(await ask(`${begun} = (select max(block_hash) from blocks where block_hash not like 'п%')`)).toMatchObject(
        one,
      );
    });
  }

  test("returns integers as texts on request, so that no reader rounds them", async () => {
    const query = "values (9007199254740993, cast(0.5 as double precision))";
    expect(await ask(query, { integers: "text" })).toMatchObject({ body: '[["9007199254740993",0.5]]' });
    const lines = await ask("select 7 as seven, null as none", { format: "ndjson", integers: "text" });
    expect(lines).toMatchObject({ body: '{"seven":"7","none":null}\n' });
  });

  test("answers with CSV that no spreadsheet executes, and lines of JSON", async () => {
    const query = "select errored, error_message, phlo_cost from deployments";
    const truth = kind === "sqlite" ? "1" : "true";
    expect(await ask(query, { format: "csv" })).toMatchObject({
      body: `errored,error_message,phlo_cost\r\n${truth},"'=cmd|""x"",\n1",250\r\n`,
    });
    expect(await ask(query, { format: "ndjson" })).toMatchObject({
      body: `{"errored":${truth},"error_message":"=cmd|\\"x\\",\\n1","phlo_cost":250}\n`,
    });
  });

  test("returns a stream of Arrow, with the types that the values have", async () => {
    const query = `select block_number, block_number as twice, 0.5 as half, null as missing, block_hash,
      9007199254740993 as large from blocks order by 1`;
    const answer = await ask(query, { format: "arrow" });
    if (answer.kind !== "rows") throw new Error(answer.message);
    const table = tableFromIPC(answer.body as Uint8Array, { useBigInt: true });
    expect(table.schema.fields.map(({ name, type: { typeId } }) => [name, typeId])).toEqual([
      ["block_number", Type.Int],
      ["twice", Type.Int],
      ["half", kind === "sqlite" ? Type.Float : expect.any(Number)],
      ["missing", Type.Utf8],
      ["block_hash", Type.Utf8],
      ["large", Type.Int],
    ]);
    expect(table.toArray().map((row) => [row.block_number, row.missing, row.block_hash, row.large])).toEqual(
      ["b0", "b1"].map((name, at) => [BigInt(at), null, madeHash(`block ${name}`), 9_007_199_254_740_993n]),
    );
    const none = await ask("select block_hash from blocks where block_number > 9", { format: "arrow" });
    if (none.kind !== "rows") throw new Error(none.message);
    expect(tableFromIPC(none.body as Uint8Array).numRows).toBe(0);
  });

  test.each([
    "insert into validators (public_key) values ('x')",
    "delete from chain_blocks",
    "drop table chain_blocks",
    "update chain_blocks set fate = 'x'",
    "attach database '/tmp/other.sqlite' as other",
    "pragma query_only = 0",
    "vacuum into '/tmp/copy.sqlite'",
    "select 1; drop table chain_blocks",
    "select 1 /* ; */; select 2",
    "with gone as (delete from chain_blocks returning *) select * from gone",
    "select load_extension('/tmp/x.so')",
    "create table x (y int)",
    "",
    "select 1) as asked; delete from chain_blocks; select * from (select 1",
    "set statement_timeout = 0",
    "copy chain_blocks to '/tmp/x'",
  ])("writes nothing: %s", async (query) => {
    expect(await ask(query)).toMatchObject({ kind: "failed", code: "badQuery" });
    expect(await ask("select count(*) from chain_blocks")).toMatchObject({ body: "[[2]]" });
  });

  test("writes nothing even where the words are right", async () => {
    if (kind === "postgres") {
      expect(await ask("select setval('chain_blocks_id_seq', 77)")).toMatchObject({ kind: "failed" });
      expect(await ask("select set_config('transaction_read_only', 'off', false)")).toMatchObject({ kind: "failed" });
    } else {
      expect(path).toBeDefined();
      const write = { sql: "delete from chain_blocks", parameters: [] };
      const { ReadBudget } = await import("../database/ReadBudget.js");
      const budget = new ReadBudget({ timeoutMs: 600_000, rows: 1, bytes: 1_000 });
      await expect(reader.rows(write, budget)).rejects.toThrow(/readonly/);
    }
  });

  test("ends what runs for ever, and cuts what has millions of rows, with little memory", async () => {
    const numbers = "with recursive n(x) as (select 1 union all select x + 1 from n)";
    expect(await ask(`${numbers} select count(*) from n`, { timeoutMs: 100 })).toMatchObject({ code: "tooSlow" });
    const before = process.memoryUsage().rss;
    const cut = await ask(`${numbers} select x from n limit 10000000`, { rows: 1_000 });
    expect(cut).toMatchObject({ count: 1_000, isCut: true });
    const wide =
      kind === "sqlite"
        ? "printf('%.*c', 2000000, 'x')"
        : "(select string_agg(md5(y::text), '') from generate_series(1, 60000) as g(y))";
    expect(await ask(`${numbers} select x, ${wide} from n`, { rows: 1_000 })).toMatchObject({ code: "answerTooLarge" });
    const huge =
      kind === "sqlite"
        ? "select printf('%.*c', 900000000, 'x')"
        : "select string_agg(md5(y::text), '') from generate_series(1, 2500000) as g(y)";
    expect(await ask(huge)).toMatchObject({ kind: "failed" });
    expect(process.memoryUsage().rss - before).toBeLessThan(400 << 20);
    expect(await ask("select 1")).toMatchObject({ body: "[[1]]" });
  });
});

test.each([
  ["=1+1", "'=1+1"],
  ["+1", "'+1"],
  ["-1", "'-1"],
  ["@x", "'@x"],
  ["\t=1", "'\t=1"],
  [-1n, "-1"],
  [-1.5, "-1.5"],
  ['a"b', '"a""b"'],
  [null, ""],
])("a cell of CSV is no formula: %s", (value, cell) => {
  expect(csvOf(value)).toBe(cell);
});
