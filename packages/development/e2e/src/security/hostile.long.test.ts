// Covers: server, node, indexer, network, sync, queries, replication/stream
import { mkdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { whyNoGo } from "@vedette/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Attack, AttackedProgram } from "./Attack.js";
import { AttackedDev } from "./AttackedDev.js";
import { AttackedIndex } from "./AttackedIndex.js";
import { AttackedNode } from "./AttackedNode.js";
import { AttackedReplica } from "./AttackedReplica.js";
import { type AttackCost, AttackMeter, memoryRatio } from "./AttackMeter.js";
import { garbageOnTheStream } from "./attacks/garbageOnTheStream.js";
import { nodeAttacks } from "./attacks/nodeAttacks.js";
import { pagesAtDev } from "./attacks/pagesAtDev.js";
import { pagesAtIndex } from "./attacks/pagesAtIndex.js";
import { devFloods, indexFloods, replicaFloods } from "./attacks/programFloods.js";
import { attackLine, attackTable } from "./attackTable.js";

const why = whyNoGo();
if (why !== undefined) process.stderr.write(`replicas are not attacked: ${why}\n`);
const maxP99Ms = 200;
const maxMs = 500;
/** The newest of these blocks has to have an honest deploy. */
const maxBlocks = 2;
const folder = fileURLToPath(new URL("../../../../../node_modules/.cache/attacks", import.meta.url));
const costs: AttackCost[] = [];

afterAll(() => {
  const table = attackTable(costs);
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${folder}/table.md`, table);
  process.stdout.write(`${table}\n`);
});

withstands("a node with chain, index and all APIs withstands", AttackedNode.start, nodeAttacks);
withstands("a chain for development and an index beside it withstand", AttackedDev.start, [
  ...[pagesAtDev, pagesAtIndex],
  ...devFloods,
]);
withstands("an index of its own withstands", AttackedIndex.start, indexFloods);
describe.skipIf(why !== undefined)("on a NATS server", () => {
  withstands("a replica withstands", AttackedReplica.start, [garbageOnTheStream, ...replicaFloods]);
});

/** Starts a program once, and has it attacked in each way. */
function withstands<Target extends AttackedProgram & AsyncDisposable>(
  title: string,
  start: () => Promise<Target>,
  attacks: readonly Attack<Target>[],
): void {
  describe(title, () => {
    let target: Target;
    let meter: AttackMeter<Target>;

    beforeAll(async () => {
      target = await start();
      meter = new AttackMeter(target);
    });
    afterAll(async () => {
      await meter?.[Symbol.asyncDispose]();
      await target?.[Symbol.asyncDispose]();
    });

    for (const attack of attacks) test(attack.name, async () => expectHarmless(await meter.measure(attack)));
  });
}

function expectHarmless(cost: AttackCost): void {
  costs.push(cost);
  process.stdout.write(`${attackLine(cost)}\n`);
  const { during, memory, isRunning, deployBlocks, gains, slowness } = cost;
  expect({ gains, isRunning, failures: during.failures }).toEqual({ gains: [], isRunning: true, failures: [] });
  expect(during.ownP99Ms).toBeLessThanOrEqual(maxP99Ms * slowness);
  expect(during.ownLongestMs).toBeLessThanOrEqual(maxMs * slowness);
  expect(memory.after).toBeLessThanOrEqual(memory.before * memoryRatio);
  expect(deployBlocks).toBeLessThanOrEqual(maxBlocks);
}
