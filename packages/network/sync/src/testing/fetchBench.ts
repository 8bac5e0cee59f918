// Measures how fast a late node fetches the chain of another node, over a line with a delay:
//   node packages/network/sync/dist/testing/fetchBench.js [blocks] [round trip in ms]
import { setTimeout as sleep } from "node:timers/promises";
import { share, TestValidator, testGenesis } from "@vedette/chain/testing";
import type { PeerExtensionRequest } from "@vedette/network";
import type { SyncOptions } from "../engine/SyncOptions.js";
import { type Recording, TestSyncNode } from "./TestSyncNode.js";

const [blocks = 2_000, roundTripMs = 50] = process.argv.slice(2).map(Number);
const chain = await madeChain(blocks);
process.stdout.write(`${blocks} blocks, a round trip of ${roundTripMs} ms\n`);
await measure("by heights", (node) => ({
  understands: (peer, extension) => node().network.understands(peer, extension),
  answer: (extension, answer) => node().network.answer(extension, answer),
  async ask(peer, question: PeerExtensionRequest) {
    await sleep(roundTripMs);
    return node().network.ask(peer, question);
  },
}));
if (blocks <= 2_000) await measure("by hashes", () => undefined);

async function measure(
  how: string,
  questions: (node: () => TestSyncNode) => SyncOptions["questions"] | undefined,
): Promise<void> {
  await using full = await (await new TestSyncNode(chain).load(chain)).start();
  let late: TestSyncNode | undefined;
  const asked = questions(() => late!);
  late = new TestSyncNode(chain, { questions: asked });
  await using node = late;
  const { handlePacket } = node.engine;
  node.engine.handlePacket = async (...packet) => {
    await sleep(roundTripMs);
    return handlePacket.apply(node.engine, packet);
  };
  await node.load({ ...chain, blocks: chain.blocks.slice(0, 1) });
  await node.start();
  const usedBefore = process.cpuUsage();
  const begunMs = performance.now();
  await node.network.connect(full.peer);
  await node.until(() => Number(node.chain.dag.nextBlockNumber()) > blocks);
  const ms = performance.now() - begunMs;
  const { user, system } = process.cpuUsage(usedBefore);
  const perBlockMs = (user + system) / 1_000 / blocks;
  process.stdout.write(
    `${how}: ${Math.round((blocks * 1_000) / ms)} blocks/s, ${perBlockMs.toFixed(2)} ms of processor time a block (both nodes)\n`,
  );
}

async function madeChain(count: number): Promise<Recording> {
  const genesis = testGenesis({ v1: 100, v2: 100 });
  const validators = ["v1", "v2"].map((name) => new TestValidator(name, genesis));
  const made = [genesis];
  for (let at = 0; at < count; at += 1) {
    const block = await validators[at % 2]!.make();
    await share(block, validators[(at + 1) % 2]!);
    made.push(block);
  }
  const approved = { candidate: { block: genesis, requiredSignatures: 0 }, signatures: [] };
  return { name: "made", approved, blocks: made, rules: validators[0]!.chain.rules, statePages: [] };
}
