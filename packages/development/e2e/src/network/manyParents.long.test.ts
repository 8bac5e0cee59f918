// Covers: chain, node
import { expect, test } from "vitest";
import { NetworkProcesses } from "./NetworkProcesses.js";
import { expectAgreement } from "./networkChecks.js";
import { balanceOf, deployIsFinal, transferBy } from "./networkDeploys.js";

const rounds = 4;

test("validators with several parents merge what they did side by side", async () => {
  await using network = await NetworkProcesses.start({ validators: 3, wallets: 6, rhythmMs: 500, parents: 10 });
  await network.finalizes(network.names, 2);
  const { wallets, validators } = network;
  const ids: string[][] = validators.map(() => []);
  for (let round = 0; round < rounds; round++) {
    const sent = validators.map((name, at) =>
      transferBy(network, name, { from: wallets[at]!, to: wallets[at + 3]!, amount: 100n }),
    );
    // Two of one wallet in blocks side by side could exclude each other.
    for (const [at, id] of (await Promise.all(sent)).entries()) {
      await deployIsFinal(network, "observer", id);
      ids[at]!.push(id);
    }
  }
  for (const [at, wallet] of wallets.slice(3).entries()) {
    const balance = await balanceOf(network, wallet);
    const expected = wallet.balance + 100n * BigInt(rounds);
    const asked = balance === expected ? [] : ids[at]!;
    const statuses = await Promise.all(asked.map((id) => network.get("observer", `/v2/deploy/${id}`)));
    expect(balance, JSON.stringify(statuses)).toBe(expected);
  }
  await expectAgreement(network);
});
