// Covers: chain, replication/stream
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { f1r3node } from "@vedette/protocol";
import { followStream, NatsServer } from "@vedette/replication/streamTesting";
import { whyNoGo } from "@vedette/testing";
import { expect, test } from "vitest";
import { CommandProcess } from "./CommandProcess.js";
import { ReplicaProcess } from "./fleet/ReplicaProcess.js";
import { type ListedBlock, listedBlocks, NetworkProcesses } from "./NetworkProcesses.js";
import { deployTo, transferBy } from "./networkDeploys.js";

const why = whyNoGo();
if (why !== undefined) process.stderr.write(`a replica of several validators is not tried on a NATS server: ${why}\n`);
const rounds = 4;

/** A block, as nodes show it. */
interface Shown {
  readonly blockInfo: object;
  readonly deploys: readonly { readonly transfers: readonly object[] | null }[];
}

/** Blocks side by side, all of which write to one cell: merges have something to give up. */
const contest = (value: number) => `for (_ <- @"cell") { @"cell"!(${value}) } | @"cell"!(${value})`;

test.skipIf(why !== undefined)(
  "a replica follows validators of f1r3node that make blocks side by side, through kills, and has what they have",
  async () => {
    await using nats = await NatsServer.start();
    const dialect = "f1r3node";
    await using network = await NetworkProcesses.start({ validators: 3, wallets: 3, rhythmMs: 1_000, dialect });
    await network.finalizes(network.names, 2);
    const { directory } = network.node("observer").plan;
    // Its own blocks' transfers are recorded where they are made, and nowhere replayed.
    const maker = network.node("validator1").plan.directory;
    const names = [`--network-id=${network.networkId}`, `--nats=${nats.url}`];
    await using _publisher = new CommandProcess(["publish", `--data-dir=${maker}`, ...names]);
    const place = join(directory, "..", "snapshots");
    mkdirSync(place);
    const making = new CommandProcess([
      "snapshot",
      "create",
      `--data-dir=${directory}`,
      `--location=${place}`,
      "--json",
    ]);
    expect(await making.ended(), making.said).toBe(0);
    const { block } = JSON.parse(making.said) as { block: { hash: string; number: number } };
    await using replica = await ReplicaProcess.start("replica", join(directory, "..", "replica"), {
      // The network's own threshold: others refuse blocks that they did not agree on.
      args: [...names, `--dialect=${dialect}`, "--fault-tolerance-threshold=0.1"],
      environment: {},
      snapshot: { place, block: block.hash },
    });
    for (let round = 0; round < rounds; round += 1) {
      for (const [at, name] of network.validators.entries()) {
        const [from, to] = [network.wallets[at]!, network.wallets[(at + 1) % 3]!];
        await transferBy(network, name, { from, to, amount: 1n });
        await deployTo(network, name, from, contest(3 * round + at));
      }
      const { finalized } = (await network.heights("observer"))!;
      await network.finalizes(["observer"], finalized + 3);
      if (round % 2 === 1) continue;
      expect(await replica.end("SIGKILL")).toBe("SIGKILL");
      replica.restart();
    }
    const { finalized: to } = (await network.heights("observer"))!;
    const path = `/api/blocks/${Math.max(block.number + 1, to - 40)}/${to}`;
    const listed = async (url: string) =>
      listedBlocks(await (await fetch(url + path)).json())
        .map(({ blockHash }) => blockHash)
        .sort();
    const observer = `http://127.0.0.1:${network.node("observer").plan.ports.http}`;
    const expected = await listed(observer);
    await expect.poll(() => listed(replica.url).catch(() => [])).toEqual(expected);
    const blocks = listedBlocks(await network.get("observer", path));
    expect(blocks.filter(({ parentsHashList }) => parentsHashList.length > 1).length).toBeGreaterThan(3);
    const isFinal = async (hash: string) => (await fetch(`${replica.url}/api/is-finalized/${hash}`)).json();
    const { blockInfo } = (await network.get("observer", "/api/last-finalized-block")) as { blockInfo: ListedBlock };
    await expect.poll(() => isFinal(blockInfo.blockHash)).toBe(true);
    const shown = async (url: string, hash: string) => {
      const { blockInfo: info, deploys } = (await (await fetch(`${url}/api/block/${hash}`)).json()) as Shown;
      // Its finality depends on the time of the look.
      return { ...info, faultTolerance: 0, isFinalized: true, deploys };
    };
    const own = blocks.filter(({ sender }) => sender === network.validatorKey("validator1"));
    const movedByOwn = [];
    for (const { blockHash } of own) {
      // A node that has just started may answer without what a block moved: a later answer has it (50 §10.3).
      let deploys: Shown["deploys"] = [];
      const differences = async () => {
        const [expected, found] = [await shown(observer, blockHash), await shown(replica.url, blockHash)];
        deploys = expected.deploys;
        return isDeepStrictEqual(found, expected) ? [] : [expected, found];
      };
      await expect.poll(differences).toEqual([]);
      movedByOwn.push(...deploys.flatMap(({ transfers }) => transfers ?? []));
    }
    expect(movedByOwn.length).toBeGreaterThanOrEqual(1);
    const { withOutcome } = await followStream(nats.url, network.networkId, f1r3node);
    expect(own.filter(({ blockHash }) => !withOutcome.has(blockHash))).toEqual([]);
    await expect.poll(() => replica.isReady(5)).toBe(true);
    expect(replica.said).not.toMatch(/stays before it|does not pass/);
  },
);
