import { mkdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { patienceMs } from "@vedette/testing";
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ExplorerTestChain } from "../testing/ExplorerTestChain.js";
import { isBrowserThere, Reader } from "../testing/Reader.js";

const root = new URL("../../../../", import.meta.url);
const pictures = fileURLToPath(new URL("node_modules/.cache/explorer-questions", root));

/** Who asks, and counts clicks. */
class Asking {
  clicks = 0;

  constructor(readonly page: Page) {}

  async click(wanted: Locator): Promise<void> {
    this.clicks += 1;
    await wanted.click();
  }

  /** What one has, and Enter. */
  async search(text: string): Promise<void> {
    this.clicks += 1;
    await this.page.keyboard.press("/");
    await this.page.keyboard.insertText(text);
    await this.page.keyboard.press("Enter");
  }

  async menu(name: string): Promise<void> {
    await this.click(this.page.getByRole("navigation").getByRole("link", { name, exact: true }));
  }
}

/** Where the answer stands, after the clicks that lead there. */
type Answer = (asking: Asking) => Promise<Locator> | Locator;

let chain: ExplorerTestChain;
let ids: { readonly payment: string; readonly failed: string; readonly named: string };

beforeAll(async () => {
  if (!isBrowserThere) return;
  mkdirSync(pictures, { recursive: true });
  chain = await ExplorerTestChain.start();
  const named = await chain.deploy(`new x, y, r(\`rho:registry:insertArbitrary\`) in {
    @"shelf"!("a lighthouse keeper") | r!(bundle+{*x}, *y) }`);
  const failed = await chain.deploy('new x in {\n  x!(1) |\n  for (@n <- x) { @"out"!(n + "text") }\n}');
  const payment = await chain.wallet().transfer(chain.accounts[1]!.address, 950_000_000n);
  await payment.included({ timeoutMs: patienceMs() });
  ids = { payment: payment.id, failed: failed.id, named: named.id };
});
afterAll(async () => {
  await Reader.closeBrowser();
  await chain?.[Symbol.asyncDispose]();
});

const ofDeploy =
  (which: keyof typeof ids, text: string | RegExp): Answer =>
  async (asking) => {
    await asking.search(ids[which]);
    return asking.page.getByRole("main").getByText(text).first();
  };

/** By their numbers in docs/how-to/explorer.md. */
const answers: Readonly<Record<number, Answer>> = {
  1: ofDeploy("payment", "sent 9.5 coins to"),
  2: ({ page }) => page.locator(".said-line", { hasText: "sent 9.5 coins to" }).first(),
  3: ofDeploy("failed", /^failed: .*Operator/),
  4: ofDeploy("payment", /of at most 1,000,000 phlo/),
  5: ofDeploy("payment", /which is final\. In the block .+ after it was signed/),
  6: ofDeploy("named", '@"shelf"'),
  7: async (asking) => {
    await asking.search(chain.accounts[1]!.publicKey);
    return asking.page.getByText("coins, at the last finalized block");
  },
  8: async (asking) => {
    await asking.search(chain.accounts[0]!.address);
    await asking.click(asking.page.getByRole("tab", { name: "Deploys" }));
    return asking.page.locator("td.what", { hasText: '@"shelf"' });
  },
  9: async (asking) => {
    await asking.search(chain.accounts[1]!.address);
    await asking.click(asking.page.getByRole("link", { name: /download them as CSV/ }));
    const download = asking.page.waitForEvent("download");
    await asking.click(asking.page.getByRole("button", { name: /as CSV$/ }));
    await download;
    return asking.page.getByRole("cell", { name: "9.5", exact: true });
  },
  12: async (asking) => {
    await asking.menu("Accounts");
    return asking.page.locator("tbody tr:first-child", { hasText: "%" });
  },
};

/** The questions as the document has them, with the clicks that it promises. */
const questions = [
  ...readFileSync(new URL("docs/how-to/explorer.md", root), "utf8").matchAll(
    /^\| (\d+) \| ([^|]+) \| \*\*(\d)\*\* \|/gm,
  ),
].map(([, number, question, clicks]) => ({ number: Number(number), question: question!, clicks: Number(clicks) }));

test("the questions that the document says are asked are those that are asked", () => {
  expect(questions.map(({ number }) => number)).toEqual(Object.keys(answers).map(Number));
});

describe.skipIf(!isBrowserThere)("the explorer answers", () => {
  test.each(questions)("$number: $question", async ({ number, clicks }) => {
    await using reader = await Reader.open(chain.url);
    await reader.goTo("/");
    // The index comes a moment after the chain.
    await reader.page.waitForFunction(async () => {
      const body = JSON.stringify({ query: '{ transfers(where: {amount_dust: {_eq: "950000000"}}) { id } }' });
      const headers = { "content-type": "application/json" };
      return (await (await fetch("/graphql", { method: "POST", headers, body })).text()).includes('"id"');
    });
    const asking = new Asking(reader.page);
    const answer = await answers[number]!(asking);
    await answer.waitFor();
    expect(asking.clicks).toBeLessThanOrEqual(Math.min(3, clicks));
    await reader.page.screenshot({ path: `${pictures}/${String(number).padStart(2, "0")}.png` });
    expect(reader.complaints).toEqual([]);
  });
});
