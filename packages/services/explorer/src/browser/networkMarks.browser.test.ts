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
    await page.locator(".mark").getByText("Verified in this browser").first().waitFor();
    expect(await page.locator(".mark .badge.bad, main > .notice.bad").count()).toBe(0);
    await page.locator(".mark .badge").first().click();
    await page
      .getByText(/^From genesis .* trusted on first use on/)
      .first()
      .waitFor();
    // The observer makes no reports, which the page of a deploy requests.
    expect(reader.complaints.filter((text) => !/status of 404/.test(text))).toEqual([]);
  });
});
