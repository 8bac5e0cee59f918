import { usualCases } from "@vedette/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { dialectOfStatus } from "../data/useDialect.js";
import { examplesOn } from "../page/playground/examples.js";
import { ExplorerTestChain } from "../testing/ExplorerTestChain.js";
import { isBrowserThere, Reader } from "../testing/Reader.js";

let chain: ExplorerTestChain;

beforeAll(async () => {
  chain = await ExplorerTestChain.start(["--serve-keys"]);
});
afterAll(async () => {
  await Reader.closeBrowser();
  await chain?.[Symbol.asyncDispose]();
});

describe.each(usualCases(["rnode", "f1r3node"] as const))("on a chain of %s", (dialect) => {
  let own: ExplorerTestChain;

  beforeAll(async () => {
    own = await ExplorerTestChain.start(["--dialect", dialect]);
  });
  afterAll(async () => own?.[Symbol.asyncDispose]());

  test.each(examplesOn(dialect))("the example “$title” gives its documented answers", async ({ source, answers }) => {
    const { outcome, results, error } = await own.node.exploreWithin({ term: source });
    expect([outcome, error]).toEqual(["values", null]);
    const shown = (results as readonly { readonly rholang: string }[]).map(({ rholang }) =>
      rholang.replaceAll(" : ", ": "),
    );
    expect(shown.sort()).toEqual([...answers].sort());
  });

  test("the node reports the dialect of its network", async () => {
    expect(dialectOfStatus(await own.node.apiStatus())).toBe(dialect);
  });
});

const allText = async (reader: Reader, text: string) => {
  await reader.page.locator(".cm-content").click();
  await reader.page.keyboard.press("Control+a");
  await reader.page.keyboard.insertText(text);
};

describe.skipIf(!isBrowserThere)("the playground, in a browser", () => {
  test("a program is written, remarked on, laid out, run, and changed until it is right", async () => {
    await using reader = await Reader.open(chain.url);
    const { page } = reader;
    await reader.goTo("/explorer/playground");
    await allText(reader, "new return in { return!(1 + }");
    await page.locator(".cm-lintRange-error").first().waitFor();
    await allText(reader, "new return in {return!(40+2)}");
    await page.getByRole("button", { name: "Format" }).click();
    await page.locator(".cm-line", { hasText: "return!(40 + 2)" }).waitFor();
    await page.locator(".cm-content").click();
    await page.keyboard.press("Control+Enter");
    await page.getByLabel("Results").getByText("42").waitFor();
    await page.getByText(/\d+ phlo/).waitFor();
    await allText(reader, 'new return in { return!(1 + "a") }');
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await page.getByText("It failed.").waitFor();
    expect(reader.complaints).toEqual([]);
  });

  test("a run shows its output below its results, and its steps with their costs", async () => {
    await using reader = await Reader.open(chain.url);
    const { page } = reader;
    await reader.goTo("/explorer/playground");
    await allText(
      reader,
      'new return, out(`rho:io:stdout`) in { out!("so far") | for (@x <- @"a") { return!(x) } | @"a"!(7) }',
    );
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await page.getByLabel("Results").getByText("7").waitFor();
    await page.getByText("so far", { exact: false }).last().waitFor();
    await page.getByRole("button", { name: "Trace it step by step" }).click();
    await page.locator("ol.trace summary").first().click();
    await page
      .getByRole("cell", { name: /^1:\d+$/ })
      .first()
      .waitFor();
    expect([await reader.barriers(), await reader.overflow(), reader.complaints]).toEqual([[], 0, []]);
  });

  test("a chain for development gives coins, moves its clock, makes blocks, is kept and set back", async () => {
    await using reader = await Reader.open(chain.url);
    const { page } = reader;
    const { address } = chain.accounts[4]!;
    const [before] = await chain.node.balances([address], "latest");
    await reader.goTo("/explorer/playground");
    await page.getByRole("tab", { name: "This chain" }).click();
    await page.getByRole("button", { name: "Keep the chain as it is now" }).click();
    await page.getByRole("button", { name: "Back to snapshot 1" }).waitFor();
    const heightBefore = (await chain.node.newestBlocks())[0]!.blockNumber;
    await page.getByRole("textbox", { name: "Address" }).fill(address);
    await page.getByRole("textbox", { name: "Coins" }).fill("12.5");
    await page.getByRole("button", { name: "Give" }).click();
    await page.getByText("Given:").waitFor();
    expect((await chain.node.balances([address], "latest"))[0]! - before!).toBe(1_250_000_000n);
    await page.getByRole("button", { name: "1 hour" }).click();
    await page.getByText(/(60 min|1 h) ahead/).waitFor();
    await page.getByRole("button", { name: "10", exact: true }).click();
    await page
      .getByText(`#${heightBefore + 11n}`, { exact: true })
      .first()
      .waitFor();
    expect([await reader.barriers(), await reader.overflow()]).toEqual([[], 0]);
    await page.getByRole("button", { name: "Use to sign" }).first().click();
    await page.getByRole("button", { name: "Signs now" }).waitFor();
    await page.getByRole("button", { name: "Back to snapshot 1" }).click();
    await page.getByText(`#${heightBefore}`, { exact: true }).first().waitFor();
    await page.getByText("Live", { exact: false }).first().waitFor();
    expect((await chain.node.newestBlocks())[0]!.blockNumber).toBe(heightBefore);
    // While the node is set back its connections end, which browsers log in the console.
    expect(reader.complaints.filter((text) => !/ERR_|Failed to load resource/.test(text))).toEqual([]);
  });

  test("names are proposed while one types", async () => {
    await using reader = await Reader.open(chain.url);
    await reader.goTo("/explorer/playground");
    await allText(reader, "new return, wellNamed in { return!([1].");
    await reader.page.keyboard.press("Control+Space");
    await reader.page.locator(".cm-tooltip-autocomplete", { hasText: "length" }).waitFor();
    expect(reader.complaints).toEqual([]);
  });

  test("a link opens a shared program in another browser", async () => {
    await using reader = await Reader.open(chain.url);
    const { page } = reader;
    await reader.goTo("/explorer/playground");
    await page.locator("#example").selectOption({ label: "4. A contract" });
    await page.getByRole("button", { name: "Share" }).click();
    await page.getByText("The link is copied").waitFor();
    const link = await page.evaluate(() => navigator.clipboard.readText());
    await using other = await Reader.open(chain.url);
    await other.goTo(link.slice(chain.url.length));
    await other.page.locator(".cm-line", { hasText: "square!(12, *answer)" }).waitFor();
    expect([...reader.complaints, ...other.complaints]).toEqual([]);
  });

  test("from an empty editor to a deploy that is final, with a key that stays in the browser", async () => {
    await using reader = await Reader.open(chain.url);
    const { page } = reader;
    const { privateKey, address } = chain.accounts[2]!;
    const sent: string[] = [];
    page.on("request", (request) => sent.push(`${request.url()} ${request.postData() ?? ""}`));
    await reader.goTo("/explorer/playground");
    await allText(reader, 'new id(`rho:rchain:deployId`), out(`rho:io:stdout`) in { id!([1, 2]) | out!("printed") }');
    await page.getByRole("tab", { name: "Sign and send" }).click();
    await page.getByLabel("Private key").fill(privateKey);
    await page.getByLabel("Password").fill("a long password");
    await page.getByRole("button", { name: "Use it" }).click();
    await page.getByRole("button", { name: "Sign and send" }).click();
    await page.locator(".timeline li.done", { hasText: "Finalized" }).waitFor();
    await page.getByText("[1, 2]").last().waitFor();
    await page.getByRole("heading", { name: "Output" }).waitFor();
    // The key is nowhere but in the page: not in what was sent, not in what is kept.
    expect(sent.filter((text) => text.includes(privateKey))).toEqual([]);
    expect(await page.evaluate(() => JSON.stringify({ ...localStorage }))).not.toContain(privateKey);
    // The list of an account's deploys is behind the block while the index takes it.
    await expect.poll(async () => (await chain.node.deploys({ address })).deploys.length).toBe(1);

    await page.reload();
    await page.getByRole("tab", { name: "Sign and send" }).click();
    await page.getByLabel("Password").fill("another password");
    await page.getByRole("button", { name: "Open" }).click();
    await page.getByText("The password is another one").waitFor();
    await page.getByLabel("Password").fill("a long password");
    await page.getByRole("button", { name: "Open" }).click();
    await page.getByRole("button", { name: "Lock" }).waitFor();
    expect(reader.complaints).toEqual([]);
  });
});
