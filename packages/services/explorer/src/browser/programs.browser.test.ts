import { mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type NetworkDialect, systemNames } from "@vedette/client";
import { patienceMs } from "@vedette/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { ExplorerTestChain } from "../testing/ExplorerTestChain.js";
import { LyingProxy } from "../testing/LyingProxy.js";
import { isBrowserThere, Reader } from "../testing/Reader.js";

const pictures = fileURLToPath(new URL("../../../../../node_modules/.cache/explorer-verification", import.meta.url));

describe.skipIf(!isBrowserThere).each<NetworkDialect>(["rnode", "f1r3node"])(
  "a program on a chain of %s",
  (dialect) => {
    let chain: ExplorerTestChain;
    let proxy: LyingProxy;

    beforeAll(async () => {
      mkdirSync(pictures, { recursive: true });
      chain = await ExplorerTestChain.start(["--dialect", dialect]);
      proxy = await LyingProxy.start(chain.url);
      const transfer = await chain.wallet().transfer(chain.accounts[1]!.address, 150_000_000n);
      await transfer.included({ timeoutMs: patienceMs() });
    });
    afterAll(async () => {
      await Reader.closeBrowser();
      await proxy?.[Symbol.asyncDispose]();
      await chain?.[Symbol.asyncDispose]();
    });
    beforeEach(() => proxy?.begin((_, answer) => answer));

    /** Queries the vaults for a balance: the registry and a contract answer. */
    const balanceOf = (address: string) => `new return, lookup(\`rho:registry:lookup\`), vaults in {
    lookup!(\`${systemNames[dialect].vaults}\`, *vaults) |
    for (@(_, Vaults) <- vaults) { new found in {
      @Vaults!("findOrCreate", "${address}", *found) |
      for (@(true, vault) <- found) { @vault!("balance", *return) } } } }`;

    async function run(reader: Reader, source: string) {
      const { page } = reader;
      await reader.goTo("/explorer/playground");
      await page.locator(".cm-content").click();
      await page.keyboard.press("Control+a");
      await page.keyboard.insertText(source);
      await page.getByRole("button", { name: "Run", exact: true }).click();
      await page.locator(".outcome .mark").waitFor();
      await expect
        .poll(() => page.locator(".outcome .mark").getByText("Checking…").count(), { timeout: patienceMs() })
        .toBe(0);
      return { mark: await page.locator(".outcome .mark .badge").innerText(), result: page.getByLabel("Results") };
    }

    test("runs in the browser on the verified state, and its answer is marked so", async () => {
      await using reader = await Reader.open(proxy.url);
      const { page } = reader;
      const [balance] = await chain.node.balances([chain.accounts[1]!.address], "finalized");
      const { mark, result } = await run(reader, balanceOf(chain.accounts[1]!.address));
      expect([mark, await result.innerText()]).toEqual(["Verified in this browser", String(balance)]);
      await page.locator(".outcome .mark").click();
      await page.getByText(/^it read \d+ pieces of that state/).waitFor();
      await page.getByText(/^the program ran in this browser on the state [0-9a-f]{64}/).waitFor();
      expect(await page.getByText("The node returned something else").allInnerTexts()).toEqual([]);
      expect([await reader.barriers(), await reader.overflow(), reader.complaints]).toEqual([[], 0, []]);
      await page.screenshot({ path: `${pictures}/program-${dialect}.png`, fullPage: true });
    });

    test("shows what it returned in the browser where the node returns something else", async () => {
      proxy.begin((path, answer) => (path === "/v2/explore" ? answer.replaceAll(/\b2\b/g, "3") : answer));
      await using reader = await Reader.open(proxy.url);
      const { mark, result } = await run(reader, "new return in { return!(1 + 1) }");
      expect([proxy.hasLied, mark, await result.innerText()]).toEqual([true, "Verified in this browser", "2"]);
      await reader.page.getByText(/^The node returned something else: 3/).waitFor();
    });

    test("finds a node out that sends other pieces of the state", async () => {
      const other = (digit: string) => (digit === "0" ? "1" : "0");
      proxy.begin((path, answer) => (path === "/v2/light/explore" ? answer.replace(/.(?="\}\]\})/, other) : answer));
      await using reader = await Reader.open(proxy.url);
      const { mark } = await run(reader, balanceOf(chain.accounts[0]!.address));
      expect([proxy.hasLied, mark]).toEqual([true, "The node’s answer is false: pieces of the state"]);
      await reader.page.getByRole("alert").getByText("contradict what your browser has verified").waitFor();
    });

    test("is shown as reported by the node where its pieces are withheld, and where checks are switched off", async () => {
      proxy.begin((path, answer) => {
        if (path === "/v2/light/explore") return '{"pieces":[]}';
        return path === "/v2/state-pieces" ? '{"pieces":[null]}' : answer;
      });
      await using reader = await Reader.open(proxy.url);
      const { page } = reader;
      const withheld = await run(reader, balanceOf(chain.accounts[0]!.address));
      expect([proxy.hasLied, withheld.mark]).toEqual([true, "As reported by the node"]);
      await page.locator(".outcome .mark").click();
      await page.getByText(/^the program: .*does not have a piece of the state/).waitFor();
      await reader.goTo("/explorer/verification");
      await page.getByRole("button", { name: "Switch off" }).click();
      expect((await run(reader, "new return in { return!(5) }")).mark).toBe("As reported by the node");
    });
  },
);
