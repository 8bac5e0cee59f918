import { text } from "node:stream/consumers";
import { patienceMs } from "@vedette/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ExplorerTestNetwork } from "../testing/ExplorerTestNetwork.js";
import { isBrowserThere, Reader } from "../testing/Reader.js";

describe.skipIf(!isBrowserThere)("on a network of three validators of f1r3node, the explorer's marks", () => {
  let network: ExplorerTestNetwork;
  let stored: { readonly id: string; readonly blockHash: string };
  let paid: { readonly id: string };

  beforeAll(async () => {
    network = await ExplorerTestNetwork.start(["--dialect", "f1r3node", "--validators", "3", "--block-interval", "2s"]);
    await network.finalizes(1n);
    const wallet = network.wallet();
    const sent = await wallet.send('@"shelf"!("a book")');
    const transfer = await wallet.transfer(network.wallets[1]!.address, 150_000_000n);
    const wait = { timeoutMs: patienceMs() };
    const [{ block }] = await Promise.all([sent.finalized(wait), transfer.finalized(wait)]);
    stored = { id: sent.id, blockHash: block.blockHash };
    paid = { id: transfer.id };
  });
  afterAll(async () => {
    await Reader.closeBrowser();
    await network?.[Symbol.asyncDispose]();
  });

  const places = {
    block: () => `/explorer/block/${stored.blockHash}`,
    balance: () => `/explorer/account/${network.wallets[1]!.address}`,
    deploy: () => `/explorer/deploy/${paid.id}`,
    data: () => "/explorer/state?by=name&of=%22shelf%22",
  };

  test.each(Object.keys(places) as (keyof typeof places)[])("are *verified*: %s", async (place) => {
    await using reader = await Reader.open(network.url);
    const { page } = reader;
    await reader.goTo(places[place]());
    const verified = page.locator(".mark").getByText("Verified in this browser").first();
    // Blocks that lie deep by now are checked on a click.
    const button = page.locator("button", { hasText: "Check it" });
    const unchecked = page.locator(".mark", { has: button }).first();
    await verified.or(unchecked).first().waitFor();
    if (await unchecked.isVisible()) {
      await unchecked.locator("summary").click();
      await button.first().click();
      await verified.click();
    }
    expect(await page.locator(".mark .badge.bad, main > .notice.bad").count()).toBe(0);
    await page.locator(".mark .badge").first().click();
    await page
      .getByText(/^From genesis .* trusted on first use on/)
      .first()
      .waitFor();
    expect(reader.complaints).toEqual([]);
  });

  test("peers are listed with the version that they announce, and the height of their blocks", async () => {
    await using reader = await Reader.open(network.url, { width: 360 });
    await reader.goTo("/explorer/network");
    const rows = reader.page.locator("tbody tr");
    await expect.poll(() => rows.count()).toBeGreaterThanOrEqual(3);
    for (const row of await rows.filter({ hasText: "Connected" }).all()) {
      await row.getByText(/^Vedette \d/).waitFor();
      await row.getByText(/^#[1-9]/).waitFor();
    }
    expect([await reader.hiddenColumns(), await reader.barriers(), reader.complaints]).toEqual([0, [], []]);
  });

  test("statistics show how long blocks took to become final, over heights and over time, and as a file", async () => {
    await using reader = await Reader.open(network.url, { width: 360 });
    const { page } = reader;
    const isDrawn = async (name: RegExp) =>
      page
        .getByRole("img", { name })
        .locator("canvas")
        .evaluate((canvas: HTMLCanvasElement) => {
          const { data } = canvas.getContext("2d")!.getImageData(0, 0, canvas.width, canvas.height);
          // The color of the line, which axes and grid do not have.
          const [r, g, b] = getComputedStyle(document.documentElement)
            .getPropertyValue("--accent")
            .match(/[\da-f]{2}/gi)!
            .map((digits) => Number.parseInt(digits, 16)) as [number, number, number];
          let found = 0;
          for (let at = 0; at < data.length; at += 4)
            if (data[at] === r && data[at + 1] === g && data[at + 2] === b && data[at + 3] === 255) found += 1;
          return found;
        });
    for (const [path, blocks, time] of [
      ["", /^Blocks until final: from [1-9].* to [1-9]/, /^Time until final: from [1-9].* to [1-9]/],
      ["?by=hour", /^Blocks until final: from [1-9]/, /^Time until final: from [1-9]/],
    ] as const) {
      await reader.goTo(`/explorer/statistics${path}`);
      for (const name of [blocks, time]) {
        await page.getByRole("img", { name }).waitFor();
        await expect.poll(() => isDrawn(name)).toBeGreaterThan(10);
      }
      const [file] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("button", { name: "Download Time until final as CSV" }).click(),
      ]);
      const head = path === "" ? "height" : "time";
      expect(await text(await file.createReadStream())).toMatch(
        new RegExp(`^${head},"Time until final, ms"\r\n(.*\r\n)*[^,]+,\\d+(\\.\\d+)?\r\n`),
      );
      expect([await reader.barriers(), await reader.overflow(), reader.complaints]).toEqual([[], 0, []]);
    }
  });

  test.each(["observer", "validator1"])("no page requests what its node does not serve: %s", async (name) => {
    await using reader = await Reader.open(network.urlOf(name));
    const { validator } = (await network.node.lastFinalizedBlock()).blockInfo.bonds[0]!;
    for (const path of [
      ...[
        "/",
        "/explorer/blocks",
        "/explorer/deploys",
        "/explorer/transfers",
        "/explorer/accounts",
        "/explorer/epochs",
      ],
      ...[...Object.values(places).map((place) => place()), `/explorer/validator/${validator}`, "/explorer/validators"],
      "/explorer/state?by=uri&of=rho:vault:system",
      ...["/explorer/registry", "/explorer/contract/rho:vault:system", "/explorer/statistics", "/explorer/dag"],
      ...["/explorer/network", "/explorer/playground", "/explorer/verification"],
    ]) {
      await reader.goTo(path);
      expect([path, reader.refusals, reader.complaints]).toEqual([path, [], []]);
    }
    // Late requests count, too.
    expect([reader.refusals, reader.complaints]).toEqual([[], []]);
  });
});
