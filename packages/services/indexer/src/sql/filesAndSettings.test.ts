import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type LibsqlConnection, openLibsql } from "../database/LibsqlDialect.js";
import { sqliteFunctions, sqliteModules } from "../database/sqliteAllowList.js";
import { indexTables } from "../schema/tables.js";
import { fillIndex, madeChain } from "../testing/fillIndex.js";
import { type IndexInProcess, openIndexInProcess } from "../testing/openIndexInProcess.js";
import { refusedFunctions, refusedModules } from "../testing/refusedSqlite.js";

describe("over SQLite, SQL of strangers", () => {
  const directory = mkdtempSync(join(tmpdir(), "vedette-files-"));
  const path = join(directory, "index.sqlite");
  const secret = join(directory, "secret");
  const made = join(directory, "made");
  let index: IndexInProcess;
  let bare: LibsqlConnection;

  beforeAll(async () => {
    writeFileSync(secret, "the node's key");
    await fillIndex({ kind: "sqlite", path }, madeChain(), 8);
    index = await openIndexInProcess({ kind: "sqlite", path });
    bare = await openLibsql({ path, isReadOnly: true });
  });

  afterAll(async () => {
    bare.close();
    await index[Symbol.asyncDispose]();
    rmSync(directory, { recursive: true, force: true });
  });

  const ask = (query: string) => index.sql({ query, format: "json", rows: 1_000, timeoutMs: 600_000 });
  const namesOf = async (query: string) => {
    const names = new Set<string>();
    for await (const row of bare.rows(query, [])) names.add(String(row["name"]));
    return [...names].sort();
  };

  test.each([
    `select readfile('${secret}')`,
    `select "READFILE" ('${secret}')`,
    `with k(x) as (select readfile('${secret}')) select hex(x) from k`,
    `select case when 1 then 2 else readfile('${secret}') end`,
    `select block_number from blocks order by readfile('${secret}')`,
    `select 1 where exists (select 1 from blocks where length(readfile('${secret}')) > block_number)`,
    `select writefile('${made}', 'x')`,
    `select 1 where writefile('${made}', 'x') is null`,
    `values (writefile('${made}', 'x'))`,
    `select sum(writefile('${made}', 'x')) over () from blocks`,
    `select * from fsdir('${directory}')`,
    `select count(*) from fsdir('${directory}')`,
    "select data from sqlite_dbpage",
    "select * from dbstat",
    "select * from sqlite_stmt",
    "select * from carray(1, 1)",
    "select * from pragma_table_info('chain_blocks')",
    "select * from pragma_database_list",
    "select * from fts5vocab",
    "select * from json_each('[1]') where exists (select 1 from pragma_function_list)",
    "select sql from sqlite_schema",
    "select sql from sqlite_temp_schema",
    "select * from deploy_words",
    "select * from deploy_words_data",
    "select load_extension('x')",
    "select fts3_tokenizer('simple')",
    "select sqlite3mc_config('cipher')",
    "select sha3_query('select 1')",
    "select * from generate_series(1, 2)",
    `select 1) as asked; select writefile('${made}', 'x'); --`,
    `select 1) union all select writefile('${made}', 'x') /*`,
    `select 1\u0000) as asked; select writefile('${made}', 'x')`,
  ])("reaches no file, no setting and no other table: %s", async (query) => {
    expect(await ask(query)).toMatchObject({ kind: "failed", code: "badQuery" });
    expect(existsSync(made)).toBe(false);
  });

  test("compiling a program executes nothing of it, constants neither", async () => {
    const queries = [
      `select writefile('${made}', 'x')`,
      `select 1 where writefile('${made}', 'x') > 0 and 'a' like writefile('${made}', 'x')`,
      `select * from json_each(writefile('${made}', 'x'))`,
      `select 1 from chain_blocks where block_hash glob writefile('${made}', 'x') limit writefile('${made}', 'x')`,
      `select 1; select writefile('${made}', 'x')`,
    ];
    for (const query of queries) for await (const _ of (await bare.table(`explain ${query}`)).rows);
    expect(existsSync(made)).toBe(false);
    // The proof that the function would have done it.
    await bare.execute(queries[0]!);
    expect(existsSync(made)).toBe(true);
    rmSync(made);
  });

  test("reads every table and view, with what queries are made of", async () => {
    for (const { name } of indexTables)
      expect(await ask(`select * from ${name} limit 3`)).toMatchObject({ kind: "rows" });
    const queries = [
      "select count(*), min(block_number), max(block_number), avg(block_number), total(1) from blocks",
      "select fate, count(distinct block_hash) from chain_blocks group by fate having count(*) > 1 order by 2 desc",
      "select * from blocks b left join deployments d on d.block_number = b.block_number order by b.block_number desc",
      "select * from blocks b full join transfers t on t.block_number = b.block_number",
      "select sum(phlo_cost) over (partition by block_number order by deploy_id rows 2 preceding) from deployments",
      "select lag(block_number, 2) over w, rank() over w, ntile(3) over w from blocks window w as (order by block_number)",
      "select distinct block_number % 3 from blocks union select 7 except select 1 intersect select 2 order by 1",
      "select block_number from blocks union all select 1 order by 1 limit 3 offset 2",
      "with recursive n(x) as (select 1 union select x + 1 from n where x < 9) select group_concat(x, '-') from n",
      "select value, key from json_each('[1,2]') union all select atom, path from json_tree('{\"a\":1}')",
      "select upper(trim(term)), substr(term, 2, 3), length(term), instr(term, 'x'), replace(term, 'x', 'y') from deployments",
      "select * from deployments where term like '%hello%' or term glob '*x*' and block_number between 2 and 5",
      "select * from blocks where block_number in (select block_number from transfers) or block_number in (1, 2)",
      "select date(timestamp / 1000, 'unixepoch'), strftime('%H', 0, 'unixepoch'), round(1.5), cast('7' as integer) from blocks",
      "select case block_number when 1 then 'a' else coalesce(null, 'b') end, iif(1, 2, 3), nullif(1, 1) from blocks",
      "select (select max(block_number) from blocks x where x.block_number < b.block_number) from blocks b",
      "select * from blocks where block_hash = 'x' collate nocase",
      "select 1 + 2 * 3 / 4 % 5 << 6 >> 7 & 8 | ~9, 'a' || 'b', not 1, 1 is not null, -x from (select 2 as x)",
      "select '{\"a\":1}' ->> 'a', json_extract('{\"a\":1}', '$.a'), json_group_array(block_number) from blocks",
      "select * from chain_blocks a, chain_blocks b where a.block_number = b.block_number + 1 and (a.block_number = 2 or b.fate = 'x')",
    ];
    const failed: string[] = [];
    for (const query of queries) {
      const answer = await ask(query);
      if (answer.kind === "failed") failed.push(`${query}: ${answer.message}`);
    }
    expect(failed).toEqual([]);
  });

  test("every function of the bundled SQLite is allowed or was refused by name: a new version may bring others", async () => {
    const known = [...sqliteFunctions, ...refusedFunctions];
    expect(new Set(known).size).toBe(known.length);
    expect(await namesOf("select name from pragma_function_list")).toEqual(known.toSorted());
  });

  test("every module of the bundled SQLite is allowed or was refused by name", async () => {
    const known = [...sqliteModules, ...refusedModules];
    // Modules for settings are listed once a query has used them.
    const names = (await namesOf("select name from pragma_module_list")).filter((name) => !name.startsWith("pragma_"));
    expect(names).toEqual(known.toSorted());
  });
});
