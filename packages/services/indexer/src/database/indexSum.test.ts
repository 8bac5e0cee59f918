import { copyFileSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { flipBits, runs, seededRandom } from "@vedette/testing";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { IndexFollower } from "../follow/IndexFollower.js";
import { FakeChainFeed } from "../testing/index.js";
import { isDamage, openWholeDatabase, sumUp } from "./indexSum.js";

const folder = mkdtempSync(join(tmpdir(), "vedette-sum-"));
const place = (name: string) => ({ kind: "sqlite", path: join(folder, name) }) as const;
const feed = new FakeChainFeed();
const [made, used] = [place("made"), place("used")];

beforeAll(async () => {
  feed.grow(30);
  await follow(made);
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Brings an index up to date. @returns whether it was thrown away before, and its content */
async function follow(at: typeof made, isSummedUp = true): Promise<{ wasThrownAway: boolean; balances: string }> {
  let wasThrownAway = false;
  await using database = await openWholeDatabase(at, false, () => (wasThrownAway = true));
  const complete = new AbortController();
  const isDone = (event: { readonly type: string; readonly height?: string }) =>
    event.type === "indexComplete" || (event.type === "indexResumed" && event.height === "29");
  const parts = { database, feed, emit: (event: { readonly type: string }) => isDone(event) && complete.abort() };
  await new IndexFollower(parts).run(complete.signal);
  const { rows } = await sql`select * from blocks order by block_number`.execute(database.db);
  const balances = JSON.stringify(rows, (_, value) => (typeof value === "bigint" ? String(value) : value));
  if (isSummedUp) await sumUp(at, database);
  return { wasThrownAway, balances };
}

function copy(): void {
  for (const suffix of ["", "-wal", "-shm", ".sum"]) {
    rmSync(`${used.path}${suffix}`, { force: true });
    if (existsSync(`${made.path}${suffix}`)) copyFileSync(`${made.path}${suffix}`, `${used.path}${suffix}`);
  }
}

test("an index of an ended writer is continued; with one changed bit it is made anew, with the same rows", async () => {
  copy();
  const right = await follow(used);
  expect(right.wasThrownAway).toBe(false);
  for (let seed = 0; seed < runs(4, 40); seed += 1) {
    copy();
    flipBits(used.path, 1, seededRandom(seed));
    expect(await follow(used)).toEqual({ wasThrownAway: true, balances: right.balances });
  }
});

test("an index of a killed writer is checked, and made anew where it is no index any more", async () => {
  copy();
  await follow(used, false);
  expect(existsSync(`${used.path}.sum`)).toBe(false);
  expect((await follow(used, false)).wasThrownAway).toBe(false);
  flipBits(used.path, 2_000, seededRandom(1));
  expect((await follow(used, false)).wasThrownAway).toBe(true);
  expect((await follow(used)).wasThrownAway).toBe(false);
});

test("the library's error for a damaged file is recognized", () => {
  const said = ["database disk image is malformed", "file is not a database", "SQLITE_BUSY: database is locked"];
  expect(said.map((text) => isDamage(new Error(text)))).toEqual([true, true, false]);
});
