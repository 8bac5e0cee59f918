import { createHash } from "node:crypto";
import { patienceMs } from "@vedette/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ExplorerTestChain } from "../testing/ExplorerTestChain.js";
import { isBrowserThere, Reader } from "../testing/Reader.js";
import { RelayNode } from "../testing/RelayNode.js";

let chain: ExplorerTestChain;
let deploy: Awaited<ReturnType<ExplorerTestChain["deploy"]>>;

beforeAll(async () => {
  if (!isBrowserThere) return;
  chain = await ExplorerTestChain.start(["--balance", "91234567891234567"]);
  deploy = await chain.deploy('@"first"!(1)');
});
afterAll(async () => {
  await Reader.closeBrowser();
  await chain?.[Symbol.asyncDispose]();
});

/** Makes a node in front of the chain's that changes its answers, and a reader of the explorer. */
async function relayed(options: Parameters<typeof Reader.open>[1] = {}) {
  const relay = await RelayNode.start(chain.url);
  return { relay, reader: await Reader.open(relay.url, options) };
}

async function expectUsable(reader: Reader): Promise<void> {
  expect([await reader.overflow(), await reader.hiddenColumns(), await reader.barriers()]).toEqual([0, 0, []]);
}

/** JSON with integers of 64 bits as the node wrote them: those of these tests are short, or texts. */
const edit = (text: string, change: (value: never) => unknown) => JSON.stringify(change(JSON.parse(text) as never));

describe.skipIf(!isBrowserThere)("a page stays usable", () => {
  test("with a program of a megabyte", async () => {
    await using reader = await Reader.open(chain.url, { width: 360 });
    const { page } = reader;
    const size = 1_000_000;
    const { id } = await chain.deploy(
      `@"long"!(${Array.from({ length: size / 8 }, (_, at) => 1_000_000 + at)}).`.slice(0, -1),
    );
    await reader.goTo(`/explorer/deploy/${id}`);
    await page.getByText(/^1,000,\d{3} characters/).waitFor();
    await expectUsable(reader);
    await page.getByRole("button", { name: /^Load the rest \(980,\d{3} more characters\)$/ }).click();
    await page.getByRole("button", { name: /^Load the rest \(840,\d{3} more characters\)$/ }).waitFor();
    await reader.goTo("/");
    await page.locator(`a[href="/explorer/deploy/${id}"]`).first().waitFor();
    await expectUsable(reader);
    expect(reader.complaints).toEqual([]);
  });

  test("with a name of ten thousand characters, of markup and of two directions", async () => {
    await using reader = await Reader.open(chain.url, { width: 360 });
    const { page } = reader;
    const name = `<img src=x onerror="document.title='taken'">\u202E\u2066${"n".repeat(10_000)}`;
    const { id, block } = await chain.deploy(`@${JSON.stringify(name)}!("what is there")`);
    for (const path of ["/", "/explorer/deploys", `/explorer/block/${block.blockHash}`, `/explorer/deploy/${id}`]) {
      await reader.goTo(path);
      await page.locator(".effects-line, .effects").filter({ hasText: "<img src=x" }).first().waitFor();
      await expectUsable(reader);
      expect([path, await page.locator("main img").count(), await page.locator("main").innerText()]).toEqual([
        ...[path, 0],
        expect.not.stringMatching(/[\u202E\u2066]/),
      ]);
    }
    await reader.goTo(`/explorer/state?by=name&of=${"n".repeat(2_001)}`);
    await page.getByText("The name has more than 2,000 characters").waitFor();
    // A shorter one leads to what is there.
    const short = await chain.deploy(`@"<b>\u202E\u2066"!("what is there")`);
    await reader.goTo(`/explorer/deploy/${short.id}`);
    await page
      .getByRole("link", { name: /^@"<b>/ })
      .first()
      .click();
    await page.getByText('"what is there"').waitFor();
    await expectUsable(reader);
    expect(reader.complaints).toEqual([]);
  });

  test("with amounts of 64 bits, of which no digit is lost", async () => {
    const { relay, reader } = await relayed({ width: 360 });
    await using _relay = relay;
    await using _reader = reader;
    const most = "9223372036854775807";
    relay.change = (path, text) => {
      // A browser that verified what it shows would find these amounts out.
      if (path.startsWith("/v2/light/")) return { status: 404, body: '"Not found"' };
      return path.startsWith("/v2/balances")
        ? text.replace(/"balance":"\d+"/, `"balance":"${most}"`)
        : text.replace(/"stake":\d+/g, `"stake":${most}`);
    };
    await reader.goTo(`/explorer/account/${chain.accounts[0]!.address}`);
    await reader.page.getByText("92,233,720,368.54775807").first().waitFor();
    await expectUsable(reader);
    await reader.goTo("/explorer/validators");
    await reader.page.getByText("92,233,720,368.54775807").first().waitFor();
    await expectUsable(reader);
    const sent = await chain.wallet().transfer(chain.accounts[1]!.address, BigInt(most));
    await sent.included({ timeoutMs: patienceMs() });
    await reader.goTo(`/explorer/deploy/${sent.id}`);
    await reader.page.locator(".effects", { hasText: "92,233,720,368.54775807" }).waitFor();
    await expectUsable(reader);
    for (const [path, amount] of [
      ["/explorer/accounts", "912,345,678.91234567"],
      ["/explorer/transfers", "92,233,720,368.54775807"],
      [`/explorer/account/${chain.accounts[0]!.address}`, "−92,233,720,368.54775807"],
      ["/explorer/validators", "92,233,720,368.54775807"],
    ] as const) {
      await reader.goTo(path);
      await reader.page.locator("td", { hasText: amount }).first().waitFor();
      expect([path, await reader.brokenValues()]).toEqual([path, []]);
      await expectUsable(reader);
    }
    expect(reader.complaints.filter((complaint) => !complaint.includes("404"))).toEqual([]);
  });

  test("with a block of two thousand deploys", async () => {
    const { relay, reader } = await relayed({ width: 360 });
    await using _relay = relay;
    await using _reader = reader;
    const { page } = reader;
    relay.change = (path, text) =>
      path === `/api/block/${deploy.block.blockHash}`
        ? edit(text, ({ blockInfo, deploys: [one] }: { blockInfo: object; deploys: object[] }) => ({
            blockInfo: { ...blockInfo, deployCount: 2_000 },
            deploys: Array.from({ length: 2_000 }, (_, at) => ({ ...one, sig: hashOf(at) + hashOf(at) })),
          }))
        : text;
    await reader.goTo(`/explorer/block/${deploy.block.blockHash}`);
    await page.getByRole("tab", { name: "Deploys 2,000" }).waitFor();
    expect(await page.locator("tbody tr").count()).toBe(100);
    await expectUsable(reader);
    await page.getByRole("button", { name: "Load the rest (1,900 more)" }).click();
    await page.getByRole("button", { name: "Load the rest (900 more)" }).waitFor();
    expect(await page.locator("tbody tr").count()).toBe(1_100);
    expect(reader.complaints).toEqual([]);
  });

  test("with a hundred validators", async () => {
    const { relay, reader } = await relayed();
    await using _relay = relay;
    await using _reader = reader;
    const { page } = reader;
    const keyOf = (at: number) => `04${hashOf(at)}${hashOf(at + 1_000)}`;
    const bonds = Array.from({ length: 100 }, (_, at) => ({ validator: keyOf(at), stake: 1_000 + at }));
    relay.change = (_path, text) =>
      text
        .replace(/"bonds":\[[^\]]*\]/g, () => `"bonds":${JSON.stringify(bonds)}`)
        .replace(/"sender":"04\w+"/g, () => `"sender":"${keyOf(turn++ % 100)}"`);
    let turn = 0;
    await reader.goTo("/");
    await page.locator(".tile", { hasText: /^Validators100/ }).waitFor();
    await expectUsable(reader);
    await reader.goTo("/explorer/validators");
    await expect.poll(() => page.locator("tbody tr").count()).toBe(100);
    await expectUsable(reader);
    await reader.goTo(`/explorer/block/${deploy.block.blockHash}`);
    await page.getByRole("tab", { name: "Bonds 100" }).click();
    await expect.poll(() => page.locator("tbody tr").count()).toBe(100);
    await expectUsable(reader);
    await reader.goTo("/explorer/dag");
    await expectUsable(reader);
    expect(reader.complaints).toEqual([]);
  });

  test.each([360, 1280])("with heights of millions, %i pixels wide", async (width) => {
    const { relay, reader } = await relayed({ width });
    await using _relay = relay;
    await using _reader = reader;
    const { page } = reader;
    const above = 9_000_000;
    const raised = (text: string) =>
      text.replace(/("(?:blockNumber|block_number)":"?)(\d+)/g, (_all, name, at) => name + (Number(at) + above));
    relay.change = (_path, text) => raised(text);
    // Genesis is below nothing there: deeper heights are requested from the beginning.
    relay.ask = (text) =>
      text.replace(/(?<!\w)(8999|9000)\d{3}(?!\w)/g, (at) => String(Math.max(0, Number(at) - above)));
    const height = /^#9,000,00\d$/;
    for (const path of ["/", `/explorer/block/${deploy.block.blockHash}`, "/explorer/accounts", "/explorer/dag"]) {
      await reader.goTo(path);
      await expectUsable(reader);
    }
    await reader.goTo("/");
    await page.locator("a.height", { hasText: height }).first().waitFor();
    await page.locator(".tile", { hasText: /^Head9,000,00\d/ }).waitFor();
    await page
      .locator(".ribbon .axis", { hasText: /^9,000,00\d$/ })
      .first()
      .waitFor();
    expect(reader.complaints).toEqual([]);
  });
});

const hashOf = (at: number) => createHash("sha256").update(String(at)).digest("hex");

describe.skipIf(!isBrowserThere)("a page reports what happened", () => {
  test("where its node stops, and goes on where the node comes back", async () => {
    const { relay, reader } = await relayed();
    await using _relay = relay;
    await using _reader = reader;
    const { page } = reader;
    await reader.goTo("/");
    await relay.stop();
    await page.getByRole("status").getByText("Connection lost").waitFor();
    // Data that was read stays; new requests report why there is nothing.
    await page.getByRole("link", { name: "All blocks" }).waitFor();
    await page.getByRole("main").locator("a.height").first().click();
    await page.getByRole("alert").getByText("The node did not send this part of the page.").waitFor();
    await page.getByRole("link", { name: "Vedette, home" }).click();
    await page.getByRole("main").locator("a.height").first().waitFor();
    await page.goBack();
    await page.getByRole("button", { name: "Retry" }).waitFor();
    const { block } = await chain.deploy('@"while"!("away")');
    await relay.resume();
    // The requested page comes by itself.
    await page.getByRole("heading", { name: /^Block #/ }).waitFor();
    await page.getByRole("link", { name: "Vedette, home" }).click();
    await page.locator(`a[href="/explorer/block/${block.blockHash}"]`).first().waitFor();
    await expectUsable(reader);
  });

  test("where its node has another chain than before", async () => {
    await using other = await ExplorerTestChain.start(["--seed", "another"]);
    const { relay, reader } = await relayed();
    await using _relay = relay;
    await using _reader = reader;
    const { page } = reader;
    await reader.goTo(`/explorer/block/${deploy.block.blockHash}`);
    await reader.goTo("/");
    await page.locator(`a[href="/explorer/block/${deploy.block.blockHash}"]`).first().waitFor();
    await relay.stop();
    relay.target = other.url;
    await relay.resume();
    const { block } = await other.deploy('@"other"!(1)');
    await page.locator(`a[href="/explorer/block/${block.blockHash}"]`).first().waitFor();
    await page.locator(`a[href="/explorer/block/${deploy.block.blockHash}"]`).first().waitFor({ state: "detached" });
    await page.goto(`${relay.url}/explorer/block/${deploy.block.blockHash}`);
    await page.getByRole("alert").first().waitFor();
    await expectUsable(reader);
  });

  test("where its node has pruned a state", async () => {
    const { relay, reader } = await relayed();
    await using _relay = relay;
    await using _reader = reader;
    const detail = "The state after block #1 is pruned. The oldest one is after block #5.";
    relay.change = (path, text) =>
      path.startsWith("/v2/state/")
        ? { status: 404, body: JSON.stringify({ type: "about:blank", title: "Not Found", status: 404, detail }) }
        : text;
    await reader.goTo(`/explorer/state?by=deployId&of=${deploy.id}&at=${deploy.block.blockHash}`);
    await reader.page.getByRole("alert").getByText(detail).first().waitFor();
    await expectUsable(reader);
    await reader.goTo(`/explorer/block/${deploy.block.blockHash}`);
    // A value that cannot be checked is not a lie.
    const marks = reader.page.locator("details.mark summary");
    await marks
      .getByText(/verified in this browser|As reported by the node/i)
      .first()
      .waitFor();
    expect(await marks.getByText("answer is false").count()).toBe(0);
    await expectUsable(reader);
  });

  test("where a block is invalid: its node has it, and does not list it among the valid ones", async () => {
    const { relay, reader } = await relayed();
    await using _relay = relay;
    await using _reader = reader;
    const { blockHash } = deploy.block;
    relay.change = (path, text) =>
      path.startsWith("/v2/block-statuses")
        ? edit(text, ({ blocks }: { blocks: { blockHash: string }[] }) => ({
            blocks: blocks.filter((block) => block.blockHash !== blockHash),
          }))
        : path.startsWith("/api/blocks") || path.startsWith("/api/last-finalized-block")
          ? text.replaceAll(blockHash, "ee".repeat(32)).replaceAll(/"deployCount":\d+/g, '"deployCount":0')
          : text;
    await reader.goTo(`/explorer/block/${blockHash}`);
    await reader.page.locator(".page-head .badge", { hasText: "Invalid" }).waitFor();
    expect(await reader.page.locator(".page-head .badge", { hasText: "Proposed" }).count()).toBe(0);
  });

  test("where its node is of an older version, without the newer routes", async () => {
    const { relay, reader } = await relayed();
    await using _relay = relay;
    await using _reader = reader;
    const { page } = reader;
    relay.change = (path, text) => {
      if (path === "/explorer/settings.json") return "{}";
      if (/^\/(v2\/(?!events)|graphql)/.test(path)) return { status: 404, body: '"Not found"' };
      return path === "/api/status" ? text.replace(/,"syncStatus":(null|\{.*?\}\})/, "") : text;
    };
    await reader.goTo("/");
    await page.locator(`a[href="/explorer/block/${deploy.block.blockHash}"]`).first().waitFor();
    await reader.goTo(`/explorer/block/${deploy.block.blockHash}`);
    await page.getByRole("tab", { name: "Deploys 1" }).waitFor();
    await reader.goTo(`/explorer/account/${chain.accounts[0]!.address}`);
    await page.getByText("Balance not available").waitFor();
    for (const path of ["/explorer/deploys", "/explorer/validators", "/explorer/network", "/explorer/dag"]) {
      await reader.goTo(path);
      await expectUsable(reader);
    }
    await reader.goTo(`/explorer/deploy/${deploy.id}`);
    await page.getByRole("alert").first().waitFor();
    await expectUsable(reader);
  });
});
