import { text } from "node:stream/consumers";
import { patienceMs } from "@vedette/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ExplorerTestChain } from "../testing/ExplorerTestChain.js";
import { isBrowserThere, Reader } from "../testing/Reader.js";

/** A program with a text that tries to inject markup and scripts into the page. */
const hostile = `new out(\`rho:io:stdout\`), id(\`rho:rchain:deployId\`) in {
  // <img src=x onerror="document.title='taken'"> \u202E gnp.exe
  out!("<script>document.title='taken'</script>") |
  id!("</pre><iframe src=javascript:alert(1)> \u200B")
}`;
const failing = `new x in {
  x!(1) |
  for (@n <- x) {
    @"out"!(n + "text")
  }
}`;

let chain: ExplorerTestChain;
let paths: readonly string[];
let taken: Awaited<ReturnType<ExplorerTestChain["deploy"]>>;
let failed: Awaited<ReturnType<ExplorerTestChain["deploy"]>>;

beforeAll(async () => {
  if (!isBrowserThere) return;
  chain = await ExplorerTestChain.start();
  taken = await chain.deploy(hostile);
  failed = await chain.deploy(failing);
  const transfer = await chain.wallet().transfer(chain.accounts[1]!.address, 150_000_000n);
  const block = await transfer.included({ timeoutMs: patienceMs() });
  paths = [
    "/",
    "/explorer/blocks",
    "/explorer/blocks?from=1",
    `/explorer/block/${block.blockHash}`,
    "/explorer/deploys",
    "/explorer/deploys?from=1",
    `/explorer/deploy/${transfer.id}`,
    `/explorer/deploy/${failed.id}`,
    `/explorer/account/${chain.accounts[1]!.address}`,
    "/explorer/transfers",
    "/explorer/transfers?least=many",
    "/explorer/accounts",
    "/explorer/validators",
    "/explorer/validators?over=day&sort=withoutBlock",
    `/explorer/validator/${block.sender}`,
    "/explorer/epochs",
    `/explorer/blocks?by=${block.sender}&state=finalized`,
    "/explorer/deploys?state=failed",
    "/explorer/transfers?since=2020-01-01&until=2020-01-31",
    "/explorer/contract/rho:id:none",
    "/explorer/dag",
    "/explorer/network",
    "/explorer/state?by=uri&of=rho:rchain:asiVault",
    "/explorer/registry",
    "/explorer/statistics",
    "/explorer/statistics?by=hour",
    "/explorer/playground",
    "/explorer/verification",
    "/explorer/search?q=1",
  ];
});
afterAll(async () => {
  await Reader.closeBrowser();
  await chain?.[Symbol.asyncDispose]();
});

describe.skipIf(!isBrowserThere)("every page, in a browser", () => {
  test.each([
    { name: "at a desk", width: 1280 },
    { name: "with a phone", width: 360 },
  ])("$name: is accessible (axe), fits its window, and logs no errors", async ({ width }) => {
    await using reader = await Reader.open(chain.url, { width });
    for (const path of paths) {
      await reader.goTo(path);
      expect([path, await reader.barriers(), await reader.overflow()]).toEqual([path, [], 0]);
      // With a phone a row of a table is a block: nothing has to be scrolled sideways.
      if (width < 640) expect([path, await reader.hiddenColumns(), await reader.brokenValues()]).toEqual([path, 0, []]);
      // Other colours change only the contrast.
      await reader.recolour("light");
      expect([path, await reader.barriers("color-contrast")]).toEqual([path, []]);
      expect([path, reader.refusals, reader.complaints]).toEqual([path, [], []]);
    }
  });

  test.each([1280, 360])(
    "the guide, the API and GraphQL beside it have its header and no barrier, %i pixels wide",
    async (width) => {
      await using reader = await Reader.open(chain.url, { width });
      for (const path of ["/guide/", "/guide/how-to/dev", "/guide/none", "/graphql", "/docs#deployStatus"]) {
        await reader.page.goto(chain.url + path);
        await reader.page.getByRole("link", { name: "Vedette, home" }).waitFor();
        const fonts = () =>
          reader.page.evaluate(() =>
            [...document.fonts].map(({ family, status }) => `${family.replaceAll('"', "")} ${status}`),
          );
        await expect.poll(fonts).toContain("Inter loaded");
        expect([path, await reader.barriers(), await reader.overflow()]).toEqual([path, [], 0]);
        // The browser mentions each answer with status 404.
        expect([path, reader.complaints.splice(0).length]).toEqual([path, path === "/guide/none" ? 1 : 0]);
        await reader.recolour("light");
        expect([path, await reader.barriers("color-contrast")]).toEqual([path, []]);
      }
      if (width < 640) await reader.page.getByRole("button", { name: "Menu" }).click();
      await reader.page.getByLabel("Pages").getByRole("link", { name: "Blocks" }).click();
      await reader.page.getByRole("heading", { name: "Blocks" }).first().waitFor();
    },
  );

  test("the pages beside the explorer switch and share its colors, and search in it", async () => {
    await using reader = await Reader.open(chain.url, { colours: "dark" });
    const { page } = reader;
    const theme = () => page.evaluate(() => document.documentElement.dataset["theme"]);
    for (const path of ["/guide/how-to/dev", "/graphql", "/docs"]) {
      await page.goto(chain.url + path);
      await page.getByRole("button", { name: "Use light colors" }).click();
      expect([path, await theme()]).toEqual([path, "light"]);
      await reader.goTo("/");
      expect(await theme()).toBe("light");
      await page.goto(chain.url + path);
      await page.getByRole("button", { name: "Use dark colors" }).click();
      await page.getByLabel("Search the chain").fill("1");
      await page.keyboard.press("Enter");
      await page.getByText("Block #1", { exact: true }).waitFor();
      expect([path, await theme(), reader.complaints]).toEqual([path, "dark", []]);
    }
  });

  test("the API's page finds a route, opens it by its address, and sends a request", async () => {
    await using reader = await Reader.open(chain.url, { width: 360 });
    const { page } = reader;
    await page.goto(`${chain.url}/docs#transfers`);
    await page.locator("#transfers[open]").waitFor();
    await page.getByLabel("Find a route").fill("v2 state proof");
    await page.getByText(/^\d routes?$/).waitFor();
    expect(await page.locator("#transfers").isVisible()).toBe(false);
    await page.getByLabel("Find a route").fill("/v2/transfers");
    const form = page.locator("#transfers form");
    await form.getByLabel("address", { exact: true }).fill(chain.accounts[0]!.address);
    expect(await form.getByLabel("As a command").textContent()).toContain(chain.accounts[0]!.address);
    await form.getByRole("button", { name: "Send" }).click();
    await form.getByText("Status 200").waitFor();
    expect(await form.getByLabel("Answer of the node").textContent()).toMatch(/^\{\n {2}"/);
    expect([await reader.overflow(), reader.complaints]).toEqual([0, []]);
  });

  test.each(["dark", "light"] as const)("has the colours that the system has: %s", async (colours) => {
    await using reader = await Reader.open(chain.url, { colours });
    await reader.goTo("/");
    expect(await reader.page.evaluate(() => document.documentElement.dataset["theme"])).toBe(colours);
  });

  test("the colours follow the system while the page is open, until one chooses others", async () => {
    await using reader = await Reader.open(chain.url, { colours: "dark" });
    const { page } = reader;
    const theme = () => page.evaluate(() => document.documentElement.dataset["theme"]);
    await reader.goTo("/");
    await page.emulateMedia({ colorScheme: "light" });
    await page.getByRole("button", { name: "Use dark colors" }).waitFor();
    expect(await theme()).toBe("light");
    await page.getByRole("button", { name: "Use dark colors" }).click();
    await page.emulateMedia({ colorScheme: "dark" });
    await page.emulateMedia({ colorScheme: "light" });
    await page.getByRole("button", { name: "Use light colors" }).waitFor();
    expect(await theme()).toBe("dark");
  });

  test("each page has a title, and an unknown address shows it", async () => {
    await using reader = await Reader.open(chain.url);
    const { page } = reader;
    const number = taken.block.blockNumber;
    for (const [path, title] of [
      ["/", "Vedette"],
      ["/explorer/transfers", "Transfers · Vedette"],
      [`/explorer/block/${taken.block.blockHash}`, `Block #${number} · Vedette`],
    ] as const) {
      await reader.goTo(path);
      await expect.poll(() => page.title()).toBe(title);
    }
    const answer = await page.goto(`${chain.url}/explorer/transactions/12`);
    expect(answer!.status()).toBe(404);
    await page.getByRole("heading", { name: "No such page" }).waitFor();
    expect(await page.title()).toBe("No such page · Vedette");
    expect([await reader.barriers(), await reader.overflow()]).toEqual([[], 0]);
  });

  test("blocks and deploys arrive by themselves on an open page", async () => {
    await using reader = await Reader.open(chain.url);
    await reader.goTo("/");
    const { id, block } = await chain.deploy('@"seen"!("live")');
    await reader.page.locator(`a[href="/explorer/deploy/${id}"]`).first().waitFor();
    await reader.page.locator(`a[href="/explorer/block/${block.blockHash}"]`).first().waitFor();
    expect(reader.complaints).toEqual([]);
  });

  test("a block is shown with its neighbours, on the lane of its validator; a failed deploy is marked", async () => {
    await using reader = await Reader.open(chain.url);
    const { page } = reader;
    await reader.goTo(`/explorer/block/${failed.block.blockHash}`);
    await page.getByRole("heading", { name: "Blocks around it" }).waitFor();
    await page.locator(".ribbon .chosen .failed").waitFor();
    await page.getByRole("link", { name: /^Block 1, 1 deploy, Finalized/ }).click();
    await page.getByRole("heading", { name: "Block #1" }).waitFor();
    await page.getByRole("link", { name: /^Validator 04b8/ }).click();
    await page.getByRole("heading", { name: "Validator" }).waitFor();
    expect(reader.complaints).toEqual([]);
  });

  test("a deploy's page begins with what it did, its fee, its block, and how final that is", async () => {
    await using reader = await Reader.open(chain.url);
    const { page } = reader;
    await reader.goTo(`/explorer/deploy/${failed.id}`);
    await page.getByText(/^failed: .*Operator/).waitFor();
    await page.locator(".effects", { hasText: 'did not send to @"out"' }).waitFor();
    await page.getByText(/^Fee [\d.]+ coins: [\d,]+ of at most 1,000,000 phlo at a price of 1\. Block #\d+/).waitFor();
    await reader.goTo(paths.find((path) => path.startsWith("/explorer/deploy/"))!);
    await page.locator(".effects li", { hasText: / sent 1\.5 coins to / }).waitFor();
    expect(await page.locator(".effects li a").count()).toBe(2);
  });

  test("lists of deploys show what each one did", async () => {
    await using reader = await Reader.open(chain.url);
    const { page } = reader;
    const { id } = await chain.deploy('@"listed"!("what")');
    const { block } = taken;
    const rows = page.locator(".effects-line");
    for (const path of ["/", "/explorer/deploys"]) {
      await reader.goTo(path);
      const row = `:is(li, tr):has(a[href="/explorer/deploy/${id}"]) .effects-line`;
      await page.locator(row, { hasText: '@"listed"' }).waitFor();
    }
    await rows.filter({ hasText: "sent 1.5 coins to" }).first().waitFor();
    await rows
      .filter({ hasText: /failed.*did not send to @"out"/ })
      .first()
      .waitFor();
    await reader.goTo(`/explorer/block/${block.blockHash}`);
    await page.locator("td.what .effects-line").first().waitFor();
    await reader.goTo(`/explorer/account/${chain.accounts[0]!.address}`);
    await page.getByRole("tab", { name: "Deploys" }).click();
    await rows.filter({ hasText: '@"listed"' }).first().waitFor();
    expect([await reader.barriers(), await reader.overflow(), reader.complaints]).toEqual([[], 0, []]);
  });

  test.each([1100, 1280])("a deploy takes one line of a list, in a window of %i pixels", async (width) => {
    await using reader = await Reader.open(chain.url, { width });
    const { page } = reader;
    const { block } = await chain.deploy(
      `@"a name that is long enough for more than one line of a column"!(1) |
       @"and another one, which does not fit either"!("two")`,
    );
    for (const path of [
      ...["/explorer/deploys", `/explorer/deploys?by=${chain.accounts[0]!.publicKey}`],
      ...[`/explorer/block/${block.blockHash}`, `/explorer/account/${chain.accounts[0]!.address}`],
    ]) {
      await reader.goTo(path);
      if (path.includes("/account/")) await page.getByRole("tab", { name: "Deploys" }).click();
      await page.locator("td.what", { hasText: "long enough" }).first().waitFor();
      const heights = await page.locator("tr:has(td.what)").evaluateAll((rows) => rows.map((row) => row.clientHeight));
      expect([path, heights.filter((height) => height > 50)]).toEqual([path, []]);
      // The columns have the width: no other one is cut, and none lies outside.
      expect([path, await reader.hiddenColumns(), await reader.overflow()]).toEqual([path, 0, 0]);
    }
    expect(await page.getByRole("columnheader").allInnerTexts()).toEqual(
      expect.arrayContaining(["What it did", "Deploy", "Block", "Signed", "Cost, phlo", "State"]),
    );
    expect(reader.complaints).toEqual([]);
  });

  test.each([360, 1280])(
    "lists show how long ago, or the date: the head of the column changes it, %i pixels wide",
    async (width) => {
      await using reader = await Reader.open(chain.url, { width });
      const { page } = reader;
      const times = page.locator("tbody time");
      await reader.goTo("/explorer/deploys");
      await expect.poll(() => times.first().innerText()).toMatch(/ago|now/);
      await page.getByRole("button", { name: "Signed: switch to dates" }).click();
      await expect.poll(() => times.first().innerText()).toMatch(/20\d\d/);
      expect([await reader.overflow(), await reader.barriers()]).toEqual([0, []]);
      if (width < 640) expect(await reader.hiddenColumns()).toBe(0);
      await reader.goTo("/explorer/blocks");
      await expect.poll(() => times.first().innerText()).toMatch(/20\d\d/);
      await page.getByRole("button", { name: "Time: switch to ages" }).click();
      await expect.poll(() => times.first().innerText()).toMatch(/ago|now/);
      expect(reader.complaints).toEqual([]);
    },
  );

  test("URIs and names of a program are links: to the contract, and to what lies there", async () => {
    await using reader = await Reader.open(chain.url);
    const { page } = reader;
    const { id } = await chain.deploy('new out(`rho:io:stdout`) in { @"linked"!("from the program") | out!("@") }');
    await reader.goTo(`/explorer/deploy/${id}`);
    await page.locator(".code").getByRole("link", { name: "`rho:io:stdout`" }).click();
    await page.getByText("writes a value to the node's output").waitFor();
    await page.goBack();
    expect(await page.locator(".code a").count()).toBe(2);
    await page.locator(".code").getByRole("link", { name: '"linked"' }).click();
    await page.getByText('"from the program"').first().waitFor();
    expect([await reader.barriers(), reader.refusals, reader.complaints]).toEqual([[], [], []]);
  });

  test("a long program is folded, and the playground takes it along; what it wrote is listed", async () => {
    await using reader = await Reader.open(chain.url);
    const { page } = reader;
    const source = Array.from({ length: 60 }, (_, at) => `@"name ${at}"!(${at})`).join(" |\n");
    const { id } = await chain.deploy(source);
    await reader.goTo(`/explorer/deploy/${id}`);
    expect(await page.locator(".code-line").count()).toBe(24);
    await page.getByRole("button", { name: "Show all 60 lines" }).click();
    expect(await page.locator(".code-line").count()).toBe(60);
    await page.getByText(/In the block [\d.]+ m?s after it was signed/).waitFor();
    expect(await page.getByText("of at most 1,000,000 phlo").count()).toBe(1);
    await page.getByRole("button", { name: "Show all 60 names" }).click();
    expect(await page.getByRole("link", { name: '@"name 59"' }).getAttribute("href")).toContain("by=name");
    const reading = await chain.deploy('for (@x <<- @"name 7"; @y <- @"name 8") { @"sum"!(x + y) }');
    await reader.goTo(`/explorer/deploy/${reading.id}`);
    const cellsOf = (name: string) => page.locator("tr", { hasText: name }).locator("td.number").allInnerTexts();
    await page.getByRole("heading", { name: "Names and registry entries" }).waitFor();
    expect([await cellsOf('@"name 7"'), await cellsOf('@"name 8"')]).toEqual([
      ["–", "1"],
      ["–", "1"],
    ]);
    expect(await cellsOf('@"sum"')).toEqual(["1", "–"]);
    await reader.goTo(`/explorer/deploy/${id}`);
    await page.getByRole("link", { name: "Try it in the playground" }).click();
    await page.getByText('@"name 3"!(3)').first().waitFor();
    expect([await reader.barriers(), reader.complaints]).toEqual([[], []]);
  });

  test("a deploy is traced, with what each place cost; an account's balance is drawn over heights", async () => {
    await using reader = await Reader.open(chain.url);
    const { page } = reader;
    const [payer, payee] = [chain.wallet(), chain.accounts[1]!.address];
    await (await payer.transfer(payee, 100_000_000n)).included({ timeoutMs: patienceMs() });
    const { id } = await chain.deploy('for (@x <- @"traced") { @"on"!(x) } | @"traced"!({"a": 1})');
    await reader.goTo(`/explorer/deploy/${id}`);
    await page.getByText("Replay it step by step").click();
    await page.locator("ol.trace summary").first().click();
    await page.getByRole("cell", { name: "1:1", exact: true }).waitFor();
    expect([await reader.barriers(), await reader.overflow()]).toEqual([[], 0]);
    await reader.goTo(`/explorer/account/${payee}`);
    await page.getByRole("img", { name: /^Balance, coins: from/ }).waitFor();
    expect([await reader.barriers(), reader.complaints]).toEqual([[], []]);
  });

  test("what one has is found: a height, a hash, its beginning, an id, an address, a key, a URI", async () => {
    await using reader = await Reader.open(chain.url);
    const { page } = reader;
    await reader.goTo("/");
    const { address, publicKey } = chain.accounts[0]!;
    const { blockHash } = taken.block;
    const wanted = [
      [String(taken.block.blockNumber), `/explorer/block/${blockHash}`],
      [blockHash, `/explorer/block/${blockHash}`],
      [blockHash.slice(0, 10), `/explorer/block/${blockHash}`],
      [taken.id, `/explorer/deploy/${taken.id}`],
      [address, `/explorer/account/${address}`],
      [publicKey, `/explorer/account/${address}`],
      [`https://explorer.example/transaction/${taken.id}`, `/explorer/deploy/${taken.id}`],
      ["rho:rchain:pos", "/explorer/contract/rho:rchain:pos"],
    ] as const;
    for (const [name, path] of wanted) {
      await page.keyboard.press("/");
      await page.keyboard.insertText(name);
      await page.keyboard.press("Enter");
      // Where the page is the wanted one already, only the emptied field shows that the search has ended.
      await page.waitForFunction(() => document.querySelector<HTMLInputElement>("#search")?.value === "");
      await page.waitForURL(chain.url + path);
    }
    await page.keyboard.press("/");
    await page.keyboard.insertText("zyxwvut");
    await page.getByText("Nothing on this node: looked for programs with these words.").waitFor();
    expect([await reader.barriers(), reader.complaints]).toEqual([[], []]);
  });

  test("what is typed slowly is looked for without a refusal, and the arrow keys choose among what was found", async () => {
    await using reader = await Reader.open(chain.url);
    const { page } = reader;
    await reader.goTo("/");
    const field = page.locator("#search");
    for (const end of [1, 6, 7, 64, 70, taken.id.length - 1, taken.id.length]) {
      await field.fill(taken.id.slice(0, end));
      await page.locator(".search-hits:visible").first().waitFor();
      await page.getByText("Looking…").waitFor({ state: "detached" });
    }
    await page.getByRole("option", { name: /^Deploy/ }).waitFor();
    // The first digits of a height and of a hash may be the same: words have many hits.
    await field.fill("new");
    await page.getByRole("option").nth(1).waitFor();
    await page.keyboard.press("ArrowDown");
    const second = page.getByRole("option").nth(1);
    expect(await second.getAttribute("aria-selected")).toBe("true");
    const wanted = await second.getAttribute("href");
    await page.keyboard.press("Enter");
    await page.waitForURL(chain.url + wanted);
    expect([reader.refusals, reader.complaints]).toEqual([[], []]);
  });

  test("a validator's account is one page, by its address and by its key", async () => {
    await using reader = await Reader.open(chain.url);
    const { page } = reader;
    const { blockInfo } = await chain.node.lastFinalizedBlock();
    const [{ validator = "" } = {}] = blockInfo.bonds;
    await reader.goTo(`/explorer/account/${validator}`);
    await page.getByText("staked as a validator").waitFor();
    const address = await page
      .getByRole("main")
      .locator('a[href^="/explorer/account/1111"]')
      .first()
      .getAttribute("href");
    await reader.goTo(address!);
    await page.getByText("staked as a validator").waitFor();
    await page.getByText(validator).first().waitFor();
  });

  test("transfers are found by account and amount, sorted, and downloaded", async () => {
    await using reader = await Reader.open(chain.url);
    const { page } = reader;
    const payee = chain.accounts[2]!.address;
    await (await chain.wallet().transfer(payee, 123_400_000n)).included({ timeoutMs: patienceMs() });
    await (await chain.wallet().transfer(payee, 700_000_000n)).included({ timeoutMs: patienceMs() });
    await reader.goTo("/explorer/transfers");
    await page.getByLabel("Account").fill(chain.accounts[2]!.publicKey);
    await page.getByLabel(/^At most/).fill("2");
    await page.getByRole("button", { name: "Show" }).click();
    const amounts = page.locator("tbody tr td:nth-child(5)");
    // The index comes a moment after the chain.
    await expect.poll(() => amounts.allInnerTexts()).toEqual(["1.234"]);
    await reader.goTo(`/explorer/transfers?account=${payee}`);
    await page
      .getByRole("columnheader")
      .getByRole("link", { name: /^Amount/ })
      .click();
    await page.getByRole("heading", { name: "The largest first" }).waitFor();
    await expect.poll(() => amounts.allInnerTexts()).toEqual(["7", "1.234"]);
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: /CSV/ }).click(),
    ]);
    const lines = (await text(await file.createReadStream())).trim().split("\r\n");
    expect(lines[0]).toBe("time,block,from,to,amount,token,status,reason,state,deploy");
    expect(lines.slice(1).map((line) => line.split(",").slice(3, 7))).toEqual([
      [payee, "7", "coins", "success"],
      [payee, "1.234", "coins", "success"],
    ]);
    expect([await reader.barriers(), await reader.overflow(), reader.complaints]).toEqual([[], 0, []]);
  });

  test("accounts have the names that the node's operator gives them, as text", async () => {
    await using reader = await Reader.open(chain.url);
    const { page } = reader;
    const { address, publicKey } = chain.accounts[0]!;
    await page.route("**/explorer/settings.json", async (route) => {
      const settings = (await (await route.fetch()).json()) as object;
      await route.fulfill({ json: { ...settings, labels: { [publicKey]: "Tr<b>easury" } } });
    });
    await reader.goTo("/explorer/accounts");
    await page.locator("tr", { hasText: "Tr<b>easury" }).waitFor();
    await reader.goTo(`/explorer/account/${address}`);
    await page.locator("dd", { hasText: "given by the operator of this node" }).getByText("Tr<b>easury").waitFor();
    expect([await reader.barriers(), await reader.overflow(), reader.complaints]).toEqual([[], 0, []]);
  });

  test("the accounts with the most coins are listed with their share of the supply", async () => {
    await using reader = await Reader.open(chain.url);
    const { page } = reader;
    await reader.goTo("/explorer/accounts");
    const rows = page.locator("tbody tr");
    await rows.first().waitFor();
    const share = await rows.first().locator("td:nth-child(5)").innerText();
    expect(share).toMatch(/^\s*[\d.]+ %$/);
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: /CSV/ }).click(),
    ]);
    expect(await text(await file.createReadStream())).toContain(`${chain.accounts[1]!.address},`);
    expect(reader.complaints).toEqual([]);
  });

  test("statistics by hour and by day count the accounts that signed deploys", async () => {
    await using reader = await Reader.open(chain.url);
    for (const by of ["hour", "day"]) {
      await reader.goTo(`/explorer/statistics?by=${by}`);
      await reader.page.getByRole("heading", { name: `Active accounts, each ${by}` }).waitFor();
      await reader.page.getByRole("img", { name: /^Active accounts: from .*[1-9]/ }).waitFor();
      // A development chain has one validator with this stake, at every time.
      await reader.page.getByRole("img", { name: "Total stake: from 0.00001 to 0.00001, lately 0.00001" }).waitFor();
    }
    await reader.goTo("/explorer/statistics");
    await reader.page.getByRole("img", { name: "Total stake: from 0.00001 to 0.00001, lately 0.00001" }).waitFor();
    // A block of the only validator is final as soon as it is there.
    await reader.page.getByRole("img", { name: "Blocks until final: from 0 to 0, lately 0" }).waitFor();
    expect([await reader.barriers(), reader.refusals, reader.complaints]).toEqual([[], [], []]);
  });

  test("deploys are found by words of their programs, and one list has all of them", async () => {
    await using reader = await Reader.open(chain.url);
    const { page } = reader;
    const { id } = await chain.deploy('@"somewhere"!("a lighthouse keeper")');
    await reader.goTo("/");
    const hit = page.locator(`.search-hits a[href="/explorer/deploy/${id}"]`);
    // The index comes a moment after the chain.
    const asked = await page.waitForFunction(async (words) => {
      const body = JSON.stringify({ query: `{ search_deployments(args: {query: "${words}"}) { deploy_id } }` });
      const headers = { "content-type": "application/json" };
      return (await (await fetch("/graphql", { method: "POST", headers, body })).text()).includes('deploy_id":"');
    }, "lighthouse");
    expect(await asked.jsonValue()).toBe(true);
    await page.locator("#search").fill("lighthouse keep");
    await hit.waitFor();
    await page.locator(".search-hits").getByText("lighthouse keeper").waitFor();
    await reader.goTo("/explorer/deploys");
    for (const one of [id, taken.id, failed.id])
      await page.locator(`main a[href="/explorer/deploy/${one}"]`).first().waitFor();
    await reader.goTo(`/explorer/deploys?from=${failed.block.blockNumber}`);
    await page.locator(`main a[href="/explorer/deploy/${failed.id}"]`).first().waitFor();
    expect(await page.locator(`main a[href="/explorer/deploy/${id}"]`).count()).toBe(0);
    expect(reader.complaints).toEqual([]);
  });

  test("a contract's page has who registered it, its calls, its methods, its data and its source", async () => {
    await using reader = await Reader.open(chain.url);
    const { page } = reader;
    const register = (value: string) =>
      chain.deploy(`new x, y, r(\`rho:registry:insertArbitrary\`) in {
        r!(${value}, *y) | x!("kept here", 7) | contract x(@"ask", answer) = { Nil } }`);
    const { id } = await register('{"of": "the registry"}');
    const { id: named } = await register("bundle+{*x}");
    const rowOf = (deploy: string) => page.locator(`tr:has(a[href="/explorer/deploy/${deploy}"])`);
    await reader.goTo("/explorer/registry");
    // The index comes a moment after the chain.
    while ((await rowOf(named).count()) === 0) {
      await page.reload();
      await page.getByRole("heading", { name: "Registered by deploys" }).waitFor();
      await page.waitForTimeout(300);
    }
    expect([await reader.barriers(), await reader.overflow()]).toEqual([[], 0]);
    await page.getByLabel("Deployer").fill(chain.accounts[1]!.publicKey);
    await page.getByRole("button", { name: "Show" }).click();
    await page.getByText("No deploy has registered anything here.").waitFor();
    await page.getByLabel("Deployer").fill(chain.accounts[0]!.address);
    await page.getByRole("button", { name: "Show" }).click();
    await rowOf(named).waitFor();
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: /CSV/ }).click(),
    ]);
    expect(await text(await file.createReadStream())).toContain(`,${chain.accounts[0]!.publicKey},${named},`);
    await rowOf(id)
      .getByRole("link", { name: /^rho:id:/ })
      .click();
    await page.getByText("the registry").waitFor();
    // From the page of the deploy that registered it.
    await reader.goTo(`/explorer/deploy/${named}`);
    await page
      .getByRole("main")
      .getByRole("link", { name: /^rho:id:/ })
      .first()
      .click();
    await page.getByRole("heading", { name: "Contract", exact: true }).waitFor();
    const uri = decodeURIComponent(page.url().split("/").at(-1)!);
    await page.getByText('"ask"').waitFor();
    await page.getByText('"kept here", 7').waitFor();
    await page.locator("dd", { hasText: "with" }).getByRole("link", { name: /^3/ }).first().waitFor();
    await page.getByText("Verified", { exact: true }).waitFor();
    await page.getByText("1 of 1 receive equal, normalized, to those of the program of").waitFor();
    await page.locator(".mark").getByText("Verified in this browser").waitFor();
    // A deploy that calls it leads to it, and counts.
    const { id: caller } = await chain.deploy(
      `new c, lookup(\`rho:registry:lookup\`) in { lookup!(\`${uri}\`, *c) | for (@it <- c) { @it!("ask", Nil) } }`,
    );
    await reader.goTo(`/explorer/deploy/${caller}`);
    await page
      .locator(".effects")
      .getByRole("link", { name: /^rho:id:/ })
      .click();
    await expect.poll(() => page.locator("dt:text-is('Calls') + dd").innerText()).toBe("1");
    await page.locator(`dt:text-is('Last call') + dd a[href="/explorer/deploy/${caller}"]`).waitFor();
    await rowOf(caller).waitFor();
    expect([await reader.barriers(), await reader.overflow()]).toEqual([[], 0]);
    await page.getByText("Programs and proof").click();
    await page.getByRole("heading", { name: "State" }).waitFor();
    expect([await reader.barriers(), reader.refusals, reader.complaints]).toEqual([[], [], []]);
  });

  test("contracts of genesis and processes of the system have pages, too", async () => {
    await using reader = await Reader.open(chain.url);
    const { page } = reader;
    await reader.goTo("/explorer/registry");
    await page.getByRole("link", { name: "rho:rchain:pos" }).click();
    await page.getByText("by genesis").waitFor();
    await page.getByText('("getBonds"').waitFor();
    await reader.goTo("/explorer/contract/rho:io:stdout");
    await page.getByText("by no deploy: every node has this process").waitFor();
    await page.getByRole("main").locator(`a[href="/explorer/deploy/${taken.id}"]`).first().waitFor();
    await reader.goTo("/explorer/contract/no%20URI");
    await page.getByText("This is no URI.").waitFor();
    expect([await reader.barriers(), reader.refusals, reader.complaints]).toEqual([[], [], []]);
  });

  test("an account's own entry in the registry gives it a name, as text", async () => {
    await using reader = await Reader.open(chain.url);
    const { page } = reader;
    const name = "<b>Lighthouse</b> \u202E";
    const map = { ExprMap: { data: { name: { ExprString: { data: name } } } } };
    const expr = { ExprTuple: { data: [{ ExprInt: { data: 1 } }, map] } };
    await page.route("**/v2/explore", async (route) => {
      const answer = await route.fetch();
      await route.fulfill({ response: answer, json: { ...(await answer.json()), results: [{ expr, rholang: null }] } });
    });
    await reader.goTo(`/explorer/account/${chain.accounts[0]!.publicKey}`);
    await page.getByText("given by the account itself").waitFor();
    expect(await page.locator(".label").first().textContent()).toContain("<b>Lighthouse</b>");
    expect(await page.getByText("U+202E").count()).toBeGreaterThan(0);
  });

  test("a block's bytes are hashed in the browser, and others than its own are reported", async () => {
    await using reader = await Reader.open(chain.url);
    const { page } = reader;
    await reader.goTo(`/explorer/block/${taken.block.blockHash}`);
    await page.getByRole("tab", { name: "System deploys" }).click();
    await page.getByText("These bytes are the block's.").waitFor();
    const other = await chain.node.connection.url;
    await page.route("**/v2/block/*/bytes", async (route) => {
      const answer = await fetch(`${other}/v2/block/${failed.block.blockHash}/bytes`);
      await route.fulfill({ contentType: "application/json", body: await answer.text() });
    });
    await page.reload();
    await page.getByRole("tab", { name: "System deploys" }).click();
    await page.getByText("These bytes are not the block's.").waitFor();
  });

  test("a hostile program is text: nothing of it runs, and nothing in it is hidden", async () => {
    await using reader = await Reader.open(chain.url);
    const { page } = reader;
    await reader.goTo(`/explorer/deploy/${taken.id}`);
    await page.getByText("<script>document.title='taken'</script>").last().waitFor();
    await page.getByRole("heading", { name: "Deploy data" }).waitFor();
    expect(await page.locator("main img, main iframe, main script").count()).toBe(0);
    expect(await page.title()).toMatch(/^Deploy 304\S+ · Vedette$/);
    expect(await page.locator(".t-strange", { hasText: "U+202E" }).count()).toBeGreaterThan(0);
    expect(await page.locator(".t-strange", { hasText: "U+200B" }).count()).toBeGreaterThan(0);
    expect(await page.locator("main").innerText()).not.toMatch(/[\u202E\u200B]/);
    expect(reader.complaints).toEqual([]);
  });

  test("a failed deploy shows why, and marks the line where it is known", async () => {
    await using reader = await Reader.open(chain.url);
    await reader.goTo(`/explorer/deploy/${failed.id}`);
    // It is shown once.
    await reader.page.getByText("is not defined on String").waitFor();
    expect(await reader.page.locator(".timeline li.bad").innerText()).toContain("Failed");
  });
});
