import { expect, test } from "vitest";
import { NetworkProcesses } from "./NetworkProcesses.js";
import { expectAgreement } from "./networkChecks.js";
import { balanceOf, deployIsFinal, transferBy } from "./networkDeploys.js";

const rounds = 4;

test("validators with several parents merge what they did side by side", async () => {
  await using network = await NetworkProcesses.start({ validators: 3, wallets: 6, rhythmMs: 1_000, parents: 10 });
  await network.finalizes(network.names, 2, 180_000);
  const { wallets, validators } = network;
  for (let round = 0; round < rounds; round++) {
    const sent = validators.map((name, at) =>
      transferBy(network, name, { from: wallets[at]!, to: wallets[at + 3]!, amount: 100n }),
    );
    // Validators tell each other of deploys: two of one wallet in blocks side by side would exclude each other.
    for (const id of await Promise.all(sent)) await deployIsFinal(network, "observer", id, 180_000);
  }
  for (const wallet of wallets.slice(3)) {
    expect(await balanceOf(network, wallet)).toBe(wallet.balance + 100n * BigInt(rounds));
  }
  await expectAgreement(network);
});
