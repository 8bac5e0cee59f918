// Covers: indexer, queries
import { join } from "node:path";
import type { IndexLocation } from "@vedette/indexer";
import { expect, test } from "vitest";
import { NetworkProcesses } from "../network/NetworkProcesses.js";
import { deployTo, transferBy } from "../network/networkDeploys.js";
import { differencesAt, expectationOf, untilIndexed } from "./TableChecks.js";

const programs = [
  `@"a name"!(1) | @7!("seven")`,
  `new return, uri, insert(\`rho:registry:insertArbitrary\`) in { insert!({"of": "a network"}, *uri) }`,
  `@"fails"!(1) | @1!("x".nth(3))`,
];

test("an observer's index follows a network with forks, over a restart and a kill", async () => {
  await using network = await NetworkProcesses.start({ validators: 3, rhythmMs: 400, synchrony: 0 });
  network.configure("observer", { "index.enabled": true });
  await network.stop("observer");
  network.restart("observer");
  await network.finalizes(["observer"], 2);
  const [from, to] = network.wallets as [(typeof network.wallets)[0], (typeof network.wallets)[0]];
  for (let round = 0; round < 12; round += 1) {
    const [one, other] = ["validator1", "validator2", "validator3"].slice(round % 2) as [string, string];
    await Promise.all([
      transferBy(network, one, { from, to, amount: BigInt(round + 1) }),
      deployTo(network, other, to, programs[round % programs.length]!),
    ]);
    if (round === 5) {
      await network.kill("observer");
      network.restart("observer");
    }
    const { finalized } = (await network.heights("validator1"))!;
    await network.finalizes(["validator1"], finalized + 2);
  }
  for (const name of network.validators) await network.stop(name);
  const { directory, ports } = network.node("observer").plan;
  const asked = { http: `http://127.0.0.1:${ports.http}`, admin: `http://127.0.0.1:${ports.adminHttp}` };
  const place: IndexLocation = { kind: "sqlite", path: join(directory, "index", "index.sqlite") };
  let blocks = 0;
  // The last blocks may still be on their way through node and index: the result is the same once all of them have
  // come.
  const differences = async () => {
    const expected = await expectationOf(asked);
    await untilIndexed(place, Number(expected.chain.blocks.at(-1)!.info.blockNumber));
    blocks = expected.chain.blocks.length;
    // A block's fault tolerance when it became final differs from the one that is returned now.
    const rows = expected.tables["blocks"]!.map((row) => ({ ...row, fault_tolerance: undefined }));
    return differencesAt(place, { ...expected, tables: { ...expected.tables, blocks: rows } });
  };
  await expect.poll(differences).toEqual([]);
  expect(blocks).toBeGreaterThan(24);
});
