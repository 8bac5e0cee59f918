import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { patienceMs } from "@vedette/testing";
import { getIntrospectionQuery } from "graphql";
import { afterAll, beforeAll, expect, test } from "vitest";
import { defaultGraphqlLimits } from "../graphql/graphqlLimits.js";
import { fillIndex, madeChain } from "../testing/fillIndex.js";
import { openIndexInProcess } from "../testing/openIndexInProcess.js";
import { IndexQueries } from "./IndexQueries.js";

const directory = mkdtempSync(join(tmpdir(), "vedette-queries-"));
const place = { kind: "sqlite", path: join(directory, "index.sqlite") } as const;
let queries: IndexQueries;

beforeAll(async () => {
  await fillIndex(place, madeChain(), 8);
  const read = { ...defaultGraphqlLimits.read, timeoutMs: patienceMs() };
  queries = new IndexQueries(place, { graceMs: 300, limits: { ...defaultGraphqlLimits, read } });
});

afterAll(async () => {
  await queries[Symbol.asyncDispose]();
  rmSync(directory, { recursive: true, force: true });
});

const ask = (query: string, timeoutMs = 200) =>
  queries.sql({ query, format: "json", rows: 10, timeoutMs }).catch((error: Error) => ({ error: error.message }));
const tooSlow = expect.stringMatching(/exceeded/);
const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

/** Returns a process's use of the processor. */
function processorMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]!.split(" ");
  return 10 * (Number(fields[11]) + Number(fields[12]));
}

/** The second row is looked for where no timer of the process can fire meanwhile. */
const endless = `select 1 union all
  select * from (with recursive n(x) as (select 1 union all select x + 1 from n) select count(*) from n)`;
/** One comparison of 45,000 characters at each of a million places. */
const longPattern = "select printf('%.*c', 1000000, 'a') like printf('%%%.*cb', 44900, 'a')";

test("queries without end are ended beside others, which are answered, and so are later ones", async () => {
  const before = await ask("select 1", patienceMs());
  expect(before).toMatchObject({ body: "[[1]]" });
  const pids = queries.pids;
  const slow = [endless, endless, endless, longPattern].map((query) => ask(query));
  const blocks = await queries.graphql({ query: "{ blocks(limit: 1) { block_number } }" });
  expect(String(blocks.bytes)).toMatch(/block_number/);
  for (const answer of await Promise.all(slow))
    expect(answer).toEqual(
      "error" in answer ? { error: tooSlow } : { kind: "failed", code: "tooSlow", message: tooSlow },
    );
  // Nothing of them is left that would burn on.
  await expect.poll(() => pids.some(isAlive)).toBe(false);
  expect(await ask("select 2", patienceMs())).toMatchObject({ body: "[[2]]" });
  expect((await queries.graphql({ query: "{ blocks(limit: 1) { block_number } }" })).bytes).toEqual(blocks.bytes);
});

test("a query that ends its process is refused for good, and the next one is answered", async () => {
  // The library panics for the upper bound of this pattern; the comment hides it from the check of SQL queries.
  const deadly = "select count(*) from blocks where block_hash glob /**/ 'ÿ*'";
  expect(await ask(deadly, patienceMs())).toEqual({ error: expect.stringMatching(/ended both times.*change it/) });
  expect(await ask("select 3", patienceMs())).toMatchObject({ body: "[[3]]" });
});

test("a long answer comes whole, in parts", async () => {
  await using here = await openIndexInProcess(place);
  const asked = { query: getIntrospectionQuery() };
  const { bytes, ...rest } = await queries.graphql(asked);
  expect(bytes.length).toBeGreaterThan(512 << 10);
  const { body, ...others } = await here.answer(asked);
  expect(Buffer.from(bytes).equals(Buffer.from(JSON.stringify(body)))).toBe(true);
  expect(rest).toEqual(others);
});

test("a process with a killed parent ends, though SQLite does not let go of it", async () => {
  const settings = JSON.stringify({ place, query: endless });
  const program = `import { IndexQueries } from ${JSON.stringify(new URL("./IndexQueries.js", import.meta.url).href)};
    const { place, query } = ${settings};
    setInterval(() => {}, 1_000);
    const queries = new IndexQueries(place);
    const request = { format: "json", rows: 10, timeoutMs: 600_000 };
    await queries.sql({ ...request, query: "select 1" });
    void queries.sql({ ...request, query });
    process.stdout.write(queries.pids.join() + "\\n");`;
  const parent = spawn(process.execPath, ["--input-type=module", "--eval", program], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const said = await new Promise<string>((resolve) => parent.stdout.once("data", (data) => resolve(String(data))));
  const pids = said.trim().split(",").map(Number);
  expect(pids.map(isAlive)).toEqual([true]);
  // It works by now on what has no end.
  const begun = processorMs(pids[0]!);
  await expect.poll(() => processorMs(pids[0]!)).toBeGreaterThan(begun + 100);
  parent.kill("SIGKILL");
  await expect.poll(() => pids.some(isAlive)).toBe(false);
});
