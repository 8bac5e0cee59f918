// Covers: replication/stream
import { setTimeout as sleep } from "node:timers/promises";
import { followStream, NatsServer } from "@vedette/replication/streamTesting";
import { whyNoGo } from "@vedette/testing";
import { expect, test } from "vitest";
import { CommandProcess } from "./CommandProcess.js";
import { NetworkProcesses } from "./NetworkProcesses.js";
import { deployIsFinal, transferBy } from "./networkDeploys.js";

const why = whyNoGo();
if (why !== undefined) process.stderr.write(`publishers are not tried on a NATS server: ${why}\n`);
const kills = 6;

test.skipIf(why !== undefined)(
  "publishers beside nodes at work, killed again and again as their server is, make one stream that has every block and state",
  async () => {
    await using server = await NatsServer.start();
    await using network = await NetworkProcesses.start({ validators: 2, rhythmMs: 500 });
    const [from, to] = network.wallets;
    await network.finalizes(network.names, 2);
    const publisherOf = (name: string) =>
      new CommandProcess([
        ...["publish", `--data-dir=${network.node(name).plan.directory}`],
        ...[`--network-id=${network.networkId}`, `--nats=${server.url}`],
      ]);
    await using first = publisherOf("validator1");
    await using second = publisherOf("observer");
    const publishers = [first, second];
    for (let killed = 0; killed < kills; killed += 1) {
      const id = await transferBy(network, "validator1", { from: from!, to: to!, amount: 1n });
      // A little later each time, so that it falls on another moment.
      await sleep(300 + 170 * killed);
      const one = publishers[killed % 2]!;
      expect(await one.end("SIGKILL")).toBe("SIGKILL");
      if (killed === 2) await server.kill();
      await deployIsFinal(network, "observer", id);
      if (killed === 2) await server.begin();
      one.start();
    }
    const target = (await network.heights("observer"))!.finalized + 2;
    await network.finalizes(["observer"], target);
    const blocks = await network.blocks("observer", 0, target);
    await network.until("all of it is in the stream", async () => {
      const { finals } = await followStream(server.url, network.networkId);
      return blocks
        .filter(({ blockNumber }) => blockNumber === target)
        .some(({ blockHash }) => finals.includes(blockHash));
    });
    // One that was killed again and again may be far behind the other.
    await network.until("both have published it", async () => {
      const { said } = await followStream(server.url, network.networkId);
      return blocks.every(({ blockHash }) =>
        [...said].some(([what, by]) => what.startsWith(`${blockHash} valid `) && by.length === 2),
      );
    });
    const stream = await followStream(server.url, network.networkId);
    const found = [...stream.verdicts];
    expect(found.filter(([, verdict]) => verdict === "invalid")).toEqual([]);
    expect(new Set(stream.finals).size).toBe(stream.finals.length);
    expect(stream.heights.length).toBe(found.length);
    const hashes = new Set(found.map(([hash]) => hash));
    expect(blocks.map(({ blockHash }) => blockHash).filter((hash) => !hashes.has(hash))).toEqual([]);
    // Each makes the same statements about each block as the other one, with another node.
    const said = [...stream.said.keys()].map((what) => what.split(" ").slice(0, 2).join(" "));
    expect(new Set(said).size).toBe(said.length);
    for (const { postStateHash, blockHash } of blocks)
      expect([blockHash, stream.states.hasRoot(Buffer.from(postStateHash, "hex"))]).toEqual([blockHash, true]);
    for (const { said } of publishers) expect(said).not.toContain("ALARM");
    for (const one of publishers) expect(await one.end("SIGTERM")).toBe(0);
  },
);
