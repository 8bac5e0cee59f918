import { setTimeout as sleep } from "node:timers/promises";
import { TestNode } from "./testNetwork.js";

/**
 * Runs small networks with nodes that start, exchange messages and leave at random moments, for the number of rounds in
 * its argument. Prints `done` at the end.
 */
const rounds = Number(process.argv[2]);
const networksAtOnce = 6;

async function round(): Promise<void> {
  const bootstrap = await new TestNode().start();
  const options = { bootstrap: bootstrap.peer, discoveryIntervalMs: 100 };
  const others = await Promise.all([new TestNode(options).start(), new TestNode(options).start()]);
  const nodes = [bootstrap, ...others];
  const ended = new AbortController();
  const talks = nodes.map((node) => talk(node, ended.signal));
  await sleep(400 * Math.random());
  await Promise.all(
    nodes.map(async (node) => {
      await sleep(30 * Math.random());
      await node[Symbol.asyncDispose]();
    }),
  );
  ended.abort();
  await Promise.all(talks);
}

async function talk({ network }: TestNode, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    for (const peer of network.peers) {
      void network.send(peer, "BlockHashMessage", new Uint8Array(64)).catch(() => {});
      try {
        network.stream(peer, "BlockMessage", () => new Uint8Array(20_000));
      } catch {
        return;
      }
    }
    await sleep(10);
  }
}

let left = rounds;
const lanes = Array.from({ length: networksAtOnce }, async () => {
  while (left-- > 0) await round();
});
await Promise.all(lanes);
process.stdout.write("done\n");
