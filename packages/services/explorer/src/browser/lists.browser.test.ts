import { text } from "node:stream/consumers";
import { patienceMs, until } from "@vedette/testing";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ExplorerTestChain } from "../testing/ExplorerTestChain.js";
import { isBrowserThere, Reader } from "../testing/Reader.js";

/** More than a page of a list has. */
const deploys = 70;

let chain: ExplorerTestChain;

beforeAll(async () => {
  if (!isBrowserThere) return;
  chain = await ExplorerTestChain.start();
  // The dearest ones are the oldest, so that no page of the newest has them all.
  for (let at = 0; at < deploys; at += 10) {
    const terms = Array.from({ length: 10 }, (_, nth) => termOfSize(deploys - at - nth));
    const sent = await Promise.all(terms.map((term) => chain.wallet().send(term)));
    for (const deploy of sent) await deploy.included({ timeoutMs: patienceMs() });
  }
  await until("the index has all deploys", async () => {
    const body = JSON.stringify({ query: "{ deployments_aggregate { aggregate { count } } }" });
    const headers = { "content-type": "application/json" };
    const answer = await (await fetch(`${chain.url}/graphql`, { method: "POST", headers, body })).json();
    return (answer as Counted).data.deployments_aggregate.aggregate.count >= deploys;
  });
});
afterAll(async () => {
  await Reader.closeBrowser();
  await chain?.[Symbol.asyncDispose]();
});

interface Counted {
  readonly data: { readonly deployments_aggregate: { readonly aggregate: { readonly count: number } } };
}

function termOfSize(size: number): string {
  return Array.from({ length: size }, (_, at) => `@"sized ${size}"!(${at})`).join(" | ");
}

/** The numbers of a column, by its name. */
async function column(page: Page, name: string): Promise<number[]> {
  const heads = await page.getByRole("columnheader").allInnerTexts();
  const at = heads.findIndex((head) => head.startsWith(name));
  const cells = await page.locator(`tbody tr td:nth-child(${at + 1})`).allInnerTexts();
  return cells.map((cell) => Number(cell.replaceAll(/[^\d]/g, "")));
}

async function csv(page: Page, what: string): Promise<readonly (readonly string[])[]> {
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: `Download ${what} as CSV` }).click();
  const file = await text(await (await download).createReadStream());
  return file
    .trim()
    .split(/\r?\n/)
    .slice(1)
    .map((line) => line.split(","));
}

const ascending = (numbers: readonly number[]) => numbers.toSorted((one, other) => one - other);
const descending = (numbers: readonly number[]) => ascending(numbers).toReversed();

describe.skipIf(!isBrowserThere)("a list that the index sorts", () => {
  test("the heads of deploys' columns sort all of them; address, next page and file have the order", async () => {
    await using reader = await Reader.open(chain.url);
    const { page } = reader;
    await reader.goTo("/explorer/deploys");
    await page.getByRole("columnheader").getByRole("link", { name: "Cost, phlo" }).click();
    await page.getByRole("heading", { name: "Deploys, the most expensive first" }).waitFor();
    expect(new URL(page.url()).search).toBe("?sort=cost");
    await page.reload();
    await page.locator("tbody tr").nth(40).waitFor();
    const first = await column(page, "Cost, phlo");
    expect(first).toEqual(descending(first));
    const rows = await csv(page, "these deploys");
    const costs = rows.map((row) => Number(row[5]));
    expect(costs.length).toBeGreaterThanOrEqual(deploys);
    expect(costs).toEqual(descending(costs));
    expect(first[0]).toBe(costs[0]);

    const next = await page.getByRole("link", { name: "Link to next page" }).first().getAttribute("href");
    expect(next).toBe("/explorer/deploys?sort=cost&page=1");
    await reader.goTo(next!);
    await page.locator("tbody tr").first().waitFor();
    const second = await column(page, "Cost, phlo");
    expect(second).toEqual(costs.slice(50));

    await page.getByRole("columnheader").getByRole("link", { name: "Block" }).click();
    await page.getByRole("heading", { name: "Deploys, the newest first" }).waitFor();
    await page.getByRole("columnheader").getByRole("link", { name: "Block ↓" }).click();
    await page.getByRole("heading", { name: "Deploys, the oldest first" }).waitFor();
    expect(await page.locator("th[aria-sort]").getAttribute("aria-sort")).toBe("ascending");
    await page.locator("tbody tr").nth(40).waitFor();
    const heights = await column(page, "Block");
    expect(heights).toEqual(ascending(heights));
    const filed = (await csv(page, "these deploys")).map((row) => Number(row[1]));
    expect(filed).toEqual(ascending(filed));
    expect([await reader.barriers(), reader.refusals, reader.complaints]).toEqual([[], [], []]);
  });

  test("a filter keeps the order, and an order keeps the filter", async () => {
    await using reader = await Reader.open(chain.url, { width: 360 });
    const { page } = reader;
    await reader.goTo("/explorer/deploys?sort=oldest");
    await page.getByLabel("State").selectOption("finalized");
    await page.getByRole("button", { name: "Show" }).click();
    await page.getByRole("heading", { name: "Matching deploys, the oldest first" }).waitFor();
    await page.getByRole("columnheader").getByRole("link", { name: "Cost, phlo" }).click();
    await page.getByRole("heading", { name: "Matching deploys, the most expensive first" }).waitFor();
    expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({ state: "finalized", sort: "cost" });
    expect([await reader.overflow(), await reader.hiddenColumns(), reader.complaints]).toEqual([0, 0, []]);
  });

  test("the heads of blocks' columns sort all of them, and pages go upward from a height", async () => {
    await using reader = await Reader.open(chain.url);
    const { page } = reader;
    await reader.goTo("/explorer/blocks");
    await page.getByRole("columnheader").getByRole("link", { name: "Deploys" }).click();
    await page.getByRole("heading", { name: "Blocks, those with the most deploys first" }).waitFor();
    await page.locator("tbody tr").first().waitFor();
    const counts = await column(page, "Deploys");
    expect(counts).toEqual(descending(counts));
    await page.getByRole("columnheader").getByRole("link", { name: "Cost, phlo" }).click();
    await page.getByRole("heading", { name: "Blocks, the most expensive first" }).waitFor();
    const costs = (await csv(page, "these blocks")).map((row) => Number(row[6]));
    expect(costs).toEqual(descending(costs));
    await reader.goTo("/explorer/blocks?sort=oldest&from=2");
    await page.getByRole("heading", { name: "Blocks from #2, the oldest first" }).waitFor();
    await page.locator("tbody tr").first().waitFor();
    expect((await column(page, "Height")).slice(0, 2)).toEqual([2, 3]);
    expect([await reader.barriers(), reader.refusals, reader.complaints]).toEqual([[], [], []]);
  });

  test("an address with an unknown order, or with a page behind the end, shows a list without a fault", async () => {
    await using reader = await Reader.open(chain.url);
    const { page } = reader;
    await reader.goTo("/explorer/deploys?sort=<b>&page=-1");
    await page.getByRole("heading", { name: "Deploys, the newest first" }).waitFor();
    await reader.goTo("/explorer/deploys?sort=cost&page=99999999999");
    await page.getByText("The list ends before this page.").waitFor();
    expect([reader.refusals, reader.complaints]).toEqual([[], []]);
  });

  test("the deploys of a block are a file, too", async () => {
    await using reader = await Reader.open(chain.url);
    const { page } = reader;
    const [block] = await chain.node.blocks(1);
    await reader.goTo(`/explorer/block/${block!.blockHash}`);
    const rows = await csv(page, "the deploys");
    expect(rows.length).toBe(block!.deployCount);
    for (const row of rows) expect([row[1], row[5]]).toEqual([String(block!.blockNumber), "false"]);
  });
});
