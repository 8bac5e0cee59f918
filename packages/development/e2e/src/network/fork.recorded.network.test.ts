import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DevProcess } from "@vedette/cli/testing";
import { HttpClient } from "@vedette/client";
import { usualCases } from "@vedette/testing";
import { afterAll, expect, test } from "vitest";
import { RecordedNetwork } from "./recordedNetwork.js";

const folder = mkdtempSync(join(tmpdir(), "vedette-fork-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Recorded chains of either node. */
const recordings = usualCases(["trio", "trio-r"]);

test.each(recordings)("a fork of the recorded chain %s reads what the node has that serves it", async (chain) => {
  await using network = new RecordedNetwork(chain);
  const dialect = network.dialect.name;
  const origin = await network.serve();
  const url = `http://127.0.0.1:${origin.ports.http}`;
  const environment = { XDG_CACHE_HOME: folder, VEDETTE_CONTEXTS: join(folder, "contexts.json") };
  await using fork = await DevProcess.start(["--fork", url, "--dialect", dialect], environment);
  process.stderr.write(`a fork of the recorded chain ${chain} was ready in ${fork.ready.seconds.toFixed(2)} s\n`);
  // Either dialect's answers have their own form.
  const client = new HttpClient({ url });
  const last = (await client.lastFinalizedBlock()).blockInfo;
  const root = last.postStateHash;
  const asked: string[] = [];
  for (const { blockHash } of await client.blockSpan(0, Number(last.blockNumber))) {
    const { deploys } = await client.block(blockHash);
    for (const { deployer, sig } of deploys) asked.push(`deployId=${sig}`, `deployerId=${deployer}`);
  }
  for (let number = 0; asked.length < 20; number += 1) asked.push(`name=${encodeURIComponent(`@${number}`)}`);
  for (const question of asked.slice(0, 20)) {
    const path = `/v2/state/${root}/data?${question}&proof=true`;
    const [here, there] = [JSON.stringify(await fork.get(path)), JSON.stringify(JSON.parse(await origin.get(path)))];
    expect(here).toBe(there);
    expect(here).toContain('"proof"');
  }
  const contract = await fork.ask("/dev/deploy", {
    term: "new lookup(`rho:registry:lookup`), found in { lookup!(`rho:rchain:pos`, *found) }",
    deployer: fork.ready.accounts[0]!.publicKey,
  });
  expect(contract.json).toMatchObject({ errored: false });
});
