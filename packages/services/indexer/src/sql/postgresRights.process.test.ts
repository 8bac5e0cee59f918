import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openDatabase } from "../database/openDatabase.js";
import { mayHaveReadingRole } from "../database/readingRole.js";
import { indexTables } from "../schema/tables.js";
import { databaseKinds } from "../testing/databases.js";
import { fillIndex, madeChain } from "../testing/fillIndex.js";
import { type IndexInProcess, openIndexInProcess } from "../testing/openIndexInProcess.js";
import { PostgresServer } from "../testing/PostgresServer.js";

/** The user that the operator gave the index, and whether it may make others. */
const users = [
  { user: "postgres", isRole: true },
  { user: "maker", isRole: true },
  { user: "plain", isRole: false },
] as const;

describe.runIf(databaseKinds.includes("postgres"))("over PostgreSQL, SQL of strangers", () => {
  let server: PostgresServer;
  const indexes = new Map<string, IndexInProcess>();

  beforeAll(async () => {
    server = await PostgresServer.start();
    const client = new pg.Client({ connectionString: server.url });
    await client.connect();
    await client.query(
      "create user maker createrole; create user plain; grant create on database postgres to maker, plain",
    );
    await client.query("create table public.others (secret text); grant select on public.others to public");
    await client.query("create function public.others_key(a text) returns text language sql as $$ select 'key' $$");
    await client.end();
    for (const { user } of users) {
      const url = server.url.replace("//postgres@", `//${user}@`);
      const place = { kind: "postgres", url, schema: `index_${user}` } as const;
      await fillIndex(place, madeChain(), 8);
      indexes.set(user, await openIndexInProcess(place));
    }
  });

  afterAll(async () => {
    for (const index of indexes.values()) await index[Symbol.asyncDispose]();
    await server[Symbol.asyncDispose]();
  });

  describe.each(users)("as $user", ({ user, isRole }) => {
    const ask = (query: string) => indexes.get(user)!.sql({ query, format: "json", rows: 1_000, timeoutMs: 600_000 });

    test.each([
      "select pg_read_file('/etc/hostname')",
      "select pg_catalog.pg_read_file('/etc/hostname')",
      `select U&"pg\\005Fread_file"('/etc/hostname')`,
      "select a.pg_read_file from unnest(array['/etc/hostname']) a",
      "select (a.x).pg_read_file from (select '/etc/hostname'::text as x) a",
      "select ('/etc/hostname'::text).pg_read_file",
      "select a.others_key from unnest(array['x']) a",
      "select pg_ls_dir('/')",
      "select * from pg_ls_dir('/')",
      "select lo_import('/etc/hostname')",
      "select lo_from_bytea(0, 'x')",
      "select dblink('host=localhost', 'select 1')",
      "select set_config('role', 'none', true)",
      "select query_to_xml('select 1', true, false, '')",
      "select database_to_xml(true, false, '')",
      "select pg_sleep(0)",
      "select pg_terminate_backend(1)",
      "select pg_advisory_lock(1)",
      "select pg_notify('a', 'b')",
      "select nextval('chain_blocks_id_seq')",
      "select current_setting('data_directory')",
      "select repeat('x', 1000000000)",
      "select lpad('x', 1000000000)",
      "select format('%1000000000s', 'x')",
      "select * from pg_authid",
      "select * from pg_catalog.pg_roles",
      "select * from information_schema.tables",
      "select * from public.others",
      "select * from index_writer",
      "select * from kysely_migration",
      "select * from (with pg_authid as (select 1) select 1) a, pg_authid",
      "with kysely_migration as (select * from kysely_migration) select * from kysely_migration",
      "select 'chain_blocks'::regclass",
      "select '<a/>'::xml",
      "table pg_authid",
      "select * from blocks for update",
      "select * into x from blocks",
      "select * from blocks tablesample system (10)",
      "select 1 operator(pg_catalog.+) 1",
      "select 1) as asked; copy chain_blocks to '/tmp/x'; --",
      "copy (select 1) to program 'id'",
      "do $$ begin perform 1; end $$",
      "execute x",
      "select 1\u0000",
      "select $1",
    ])("reaches nothing but the index: %s", async (query) => {
      expect(await ask(query)).toMatchObject({
        kind: "failed",
        code: "badQuery",
        message: expect.stringMatching(/may|begin|one query/),
      });
    });

    test("reads every table and view, with what queries are made of", async () => {
      const queries = [
        ...indexTables.map(({ name }) => `select * from ${name} limit 3`),
        `select * from index_${user}.blocks`,
        "with a(n) as (select block_number from blocks), b as (select a.n + 1 as m from a) select a.n, b.m from a join b on b.m = a.n",
        "with recursive n(x) as (select 1 union all select n.x + 1 from n where n.x < 9) select string_agg(x::text, '-') from n",
        "select fate, count(distinct block_hash) filter (where block_number > 1) from chain_blocks group by rollup (fate) having count(*) > 1 order by 2 desc nulls last",
        "select sum(phlo_cost) over w, lag(block_number) over w from deployments window w as (partition by block_number order by deploy_id rows 2 preceding)",
        "select d.term, upper(trim(d.term)), substring(d.term from 1 for 2), position('x' in d.term) from deployments d where d.term ilike '%a%' escape '!'",
        "select * from blocks where block_number in (select block_number from transfers) and block_number between 1 and 9 or block_hash = any(array['x'])",
        "select case when true then 1 else 2 end, coalesce(null, 1), nullif(1, 2), greatest(1, 2), 7::numeric(9, 2), cast('1' as bigint)",
        "select date_trunc('day', now()), extract(epoch from now() - interval '1 hour'), to_char(current_timestamp at time zone 'UTC', 'YYYY')",
        "select * from generate_series(1, 3) as g(n) cross join lateral (select g.n * 2 as m) x",
        `select e.value ->> 'a', e.value #>> '{b,c}' from jsonb_array_elements('[{"a":1}]'::jsonb) as e(value)`,
        "select 1 union select 2 except select 3 intersect values (4)",
        "select exists (select 1 from blocks), not true, 1 is distinct from 2, row(1, 2) = (1, 2), (array[1,2])[1], -(+1)",
        "select * from blocks b order by b.block_number desc offset 1 fetch first 2 rows only",
      ];
      const failed: string[] = [];
      for (const query of queries) {
        const answer = await ask(query);
        if (answer.kind === "failed") failed.push(`${query}: ${answer.message}`);
      }
      expect(failed).toEqual([]);
    });

    test("may have such a role, or reports that it may not", async () => {
      const url = server.url.replace("//postgres@", `//${user}@`);
      await using database = await openDatabase({ kind: "postgres", url, schema: `index_${user}` });
      expect(await mayHaveReadingRole(database)).toBe(isRole);
    });

    test("is run by a role that has no other rights, where one could be made", async () => {
      const answer = await ask("select current_user <> session_user, current_user like 'vedette_reader_%'");
      expect(answer).toMatchObject({ body: isRole ? "[[true,true]]" : "[[false,false]]" });
    });
  });

  test("the role may read the tables of the index, and nothing else", async () => {
    await using client = Object.assign(new pg.Client({ connectionString: server.url }), {
      [Symbol.asyncDispose]: () => client.end(),
    });
    await client.connect();
    const { rows } = await client.query<{ rolname: string }>(
      "select rolname from pg_roles where rolname like 'vedette_reader_%' and not rolcanlogin and not rolsuper and not rolinherit",
    );
    expect(rows).toHaveLength(2);
    const { rows: rights } = await client.query(
      `select distinct privilege_type, table_schema from information_schema.role_table_grants where grantee = $1`,
      [rows[0]!.rolname],
    );
    expect(rights).toEqual([{ privilege_type: "SELECT", table_schema: expect.stringMatching(/^index_/) }]);
  });
});
