import { expect, test } from "vitest";
import { NetworkProcesses } from "./NetworkProcesses.js";
import { expectAgreement } from "./networkChecks.js";
import { balanceOf, deployIsFinal, transferBy } from "./networkDeploys.js";

test("one validator and one observer: blocks come without deploys, a transfer becomes final, a kill ends nothing", async () => {
  await using network = await NetworkProcesses.start({ validators: 1, wallets: 2, rhythmMs: 500 });
  const [from, to] = network.wallets;
  await network.finalizes(network.names, 4);
  const first = await transferBy(network, "validator1", { from: from!, to: to!, amount: 1_000n });
  await deployIsFinal(network, "observer", first);
  expect(await balanceOf(network, to!)).toBe(to!.balance + 1_000n);
  await network.kill("validator1");
  network.restart("validator1");
  await network.until("the validator is back", async () => {
    return (await network.heights("validator1")) !== undefined;
  });
  const { finalized } = (await network.heights("validator1"))!;
  await network.finalizes(network.names, finalized + 2);
  const second = await transferBy(network, "validator1", { from: from!, to: to!, amount: 500n });
  await deployIsFinal(network, "observer", second);
  expect(await balanceOf(network, to!)).toBe(to!.balance + 1_500n);
  await expectAgreement(network);
});
