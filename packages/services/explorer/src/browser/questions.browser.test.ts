import { mkdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { patienceMs, until } from "@vedette/testing";
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ExplorerTestChain } from "../testing/ExplorerTestChain.js";
import { isBrowserThere, Reader } from "../testing/Reader.js";

const root = new URL("../../../../../", import.meta.url);
const pictures = fileURLToPath(new URL("node_modules/.cache/explorer-questions", root));

/** A user of the explorer, with a count of clicks. */
class Asking {
  clicks = 0;

  constructor(readonly page: Page) {}

  async click(wanted: Locator): Promise<void> {
    this.clicks += 1;
    await wanted.click();
  }

  /** Types a text, and Enter. */
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

/** The place of the answer, after the clicks that lead there. */
type Answer = (asking: Asking) => Promise<Locator> | Locator;

let chain: ExplorerTestChain;
let ids: { readonly payment: string; readonly failed: string; readonly named: string };

beforeAll(async () => {
  if (!isBrowserThere) return;
  mkdirSync(pictures, { recursive: true });
  chain = await ExplorerTestChain.start();
  const named = await chain.deploy(`new x, y, r(\`rho:registry:insertArbitrary\`) in {
    @"shelf"!("a lighthouse keeper") | r!(bundle+{*x}, *y) | contract x(@"ask", answer) = { Nil } }`);
  const failed = await chain.deploy('new x in {\n  x!(1) |\n  for (@n <- x) { @"out"!(n + "text") }\n}');
  await untilIndexed("registered_contracts { uri }", '"rho:id:');
  const payment = await chain.wallet().transfer(chain.accounts[1]!.address, 950_000_000n);
  await payment.included({ timeoutMs: patienceMs() });
  ids = { payment: payment.id, failed: failed.id, named: named.id };
  await untilIndexed('transfers(where: {amount_dust: {_eq: "950000000"}}) { id }', '"id"');
});
afterAll(async () => {
  await Reader.closeBrowser();
  await chain?.[Symbol.asyncDispose]();
});

/** The index comes a moment after the chain. */
async function untilIndexed(query: string, answer: string): Promise<void> {
  await until(`the index has ${query}`, async () => {
    const body = JSON.stringify({ query: `{ ${query} }` });
    const asked = await fetch(`${chain.url}/graphql`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
    });
    return (await asked.text()).includes(answer);
  });
}

const validatorRow = (page: Page) => page.locator("tbody tr").first();
const toValidator = async (asking: Asking) => {
  await asking.menu("Validators");
  await asking.click(validatorRow(asking.page).getByRole("link").first());
};

const ofDeploy =
  (which: keyof typeof ids, text: string | RegExp): Answer =>
  async (asking) => {
    await asking.search(ids[which]);
    return asking.page.getByRole("main").getByText(text).first();
  };

/** By their numbers in docs/how-to/explorer.md. */
const answers: Readonly<Record<number, Answer>> = {
  1: ofDeploy("payment", "sent 9.5 coins to"),
  2: ({ page }) => page.locator(".effects-line", { hasText: "sent 9.5 coins to" }).first(),
  3: ofDeploy("failed", /^failed: .*Operator/),
  4: ofDeploy("payment", /of at most 1,000,000 phlo/),
  5: ofDeploy("payment", /which is final\. In the block .+ after it was signed/),
  6: ofDeploy("named", '@"shelf"'),
  7: async (asking) => {
    await asking.search(chain.accounts[1]!.publicKey);
    return asking.page.getByText(/^coins, at the (last finalized|verified) block/);
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
  10: async (asking) => {
    await asking.menu("Transfers");
    await asking.click(asking.page.getByLabel(/^At least/));
    await asking.page.keyboard.insertText("5");
    await asking.click(asking.page.getByRole("button", { name: "Show" }));
    return asking.page.getByRole("cell", { name: "9.5", exact: true });
  },
  11: async (asking) => {
    await asking.menu("Transfers");
    await asking.click(asking.page.getByRole("columnheader").getByRole("link", { name: /^Amount/ }));
    await asking.page.getByRole("heading", { name: "The largest first" }).waitFor();
    return asking.page.locator("tbody tr:first-child", { hasText: "9.5" });
  },
  12: async (asking) => {
    await asking.menu("Accounts");
    return asking.page.locator("tbody tr:first-child", { hasText: "%" });
  },
  13: async (asking) => {
    await asking.search("lighthouse keeper");
    return asking.page.getByRole("main").getByText("a lighthouse keeper").first();
  },
  14: async (asking) => {
    await asking.search(ids.named);
    await asking.click(asking.page.getByRole("link", { name: '@"shelf"' }).first());
    return asking.page.getByRole("main").getByText("a lighthouse keeper").first();
  },
  15: async (asking) => {
    await asking.menu("Contracts");
    return asking.page.locator(`tr:has(a[href="/explorer/deploy/${ids.named}"])`);
  },
  16: async (asking) => {
    await asking.menu("Contracts");
    await asking.click(asking.page.getByRole("link", { name: /^rho:id:/ }).first());
    return asking.page.getByText('("ask"');
  },
  17: async (asking) => {
    await asking.click(asking.page.locator("a.height").first());
    return asking.page.locator(".mark").getByText("Verified in this browser").first();
  },
  18: async (asking) => {
    await asking.search(ids.named);
    await asking.click(asking.page.getByRole("link", { name: "Try it in the playground" }));
    return asking.page.locator(".cm-content", { hasText: "lighthouse" });
  },
  19: async (asking) => {
    await asking.menu("Validators");
    return validatorRow(asking.page).getByText("100.0 %");
  },
  20: async (asking) => {
    await asking.menu("Validators");
    return asking.page.getByRole("columnheader", { name: "Heights without own block" });
  },
  21: ({ page }) => page.getByText("following the chain"),
  22: async (asking) => {
    await asking.menu("Statistics");
    return asking.page.getByRole("img", { name: /^Block time \(s\): from/ });
  },
  23: async (asking) => {
    await toValidator(asking);
    await asking.click(asking.page.getByRole("tab", { name: "Blocks" }));
    return validatorRow(asking.page).getByText("Finalized");
  },
  24: async (asking) => {
    await asking.menu("Validators");
    // The chain has made its blocks today: the reader comes tomorrow.
    await asking.page.clock.setFixedTime(Date.now() + 86_400_000);
    await asking.click(asking.page.getByRole("link", { name: "yesterday" }));
    return validatorRow(asking.page).getByRole("cell", { name: "0", exact: true }).first();
  },
  25: async (asking) => {
    await toValidator(asking);
    return asking.page.getByRole("columnheader", { name: /^Rewards paid/ });
  },
};

/** The questions as the document has them, with the clicks that it promises. */
const questions = [
  ...readFileSync(new URL("docs/how-to/explorer.md", root), "utf8").matchAll(
    /^\| (\d+) \| ([^|]+) \| \*\*(\d)\*\* \|/gm,
  ),
].map(([, number, question, clicks]) => ({ number: Number(number), question: question!, clicks: Number(clicks) }));

test("the questions in the document are those of the tests", () => {
  expect(questions.map(({ number }) => number)).toEqual(Object.keys(answers).map(Number));
});

describe.skipIf(!isBrowserThere)("the explorer answers", () => {
  // One after another: a node traces two deploys of one address at a time, and all readers have one.
  test.each(questions)("$number: $question", async ({ number, clicks }) => {
    await using reader = await Reader.open(chain.url);
    await reader.goTo("/");
    const asking = new Asking(reader.page);
    const answer = await answers[number]!(asking);
    await answer.waitFor();
    expect(asking.clicks).toBeLessThanOrEqual(Math.min(3, clicks));
    await reader.page.screenshot({ path: `${pictures}/${String(number).padStart(2, "0")}.png` });
    expect(reader.complaints).toEqual([]);
  });
});
