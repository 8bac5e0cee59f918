import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DevProcess } from "@vedette/cli/testing";
import { chainsDirectory } from "@vedette/testing";
import { afterAll, expect, test } from "vitest";
import { RecordedNetwork } from "./recordedNetwork.js";

const folder = mkdtempSync(join(tmpdir(), "vedette-fork-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Told {
  readonly blockInfo: { readonly blockNumber: number; readonly postStateHash: string };
  readonly deploys: readonly { readonly deployer: string; readonly sig: string }[];
}

test.skipIf(chainsDirectory() === undefined)(
  "a fork of a recorded chain reads what the node has that serves it",
  async () => {
    await using network = new RecordedNetwork("trio");
    const origin = await network.serve();
    const url = `http://127.0.0.1:${origin.ports.http}`;
    const environment = { XDG_CACHE_HOME: folder, VEDETTE_CONTEXTS: join(folder, "contexts.json") };
    await using fork = await DevProcess.start(["--fork", url], environment);
    process.stderr.write(`a fork of the recorded chain was ready in ${fork.ready.seconds.toFixed(2)} s\n`);
    const last = JSON.parse(await origin.get("/last-finalized-block")) as Told;
    const root = last.blockInfo.postStateHash;
    const asked: string[] = [];
    const blocks = JSON.parse(await origin.get(`/blocks/${last.blockInfo.blockNumber}`)) as { blockHash: string }[];
    for (const { blockHash } of blocks) {
      const { deploys } = JSON.parse(await origin.get(`/block/${blockHash}`)) as Told;
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
  },
  300_000,
);
