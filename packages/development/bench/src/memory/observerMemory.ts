import type { NodeProcess } from "@vedette/cli/testing";
import { RecordedNetwork, untilSynced } from "@vedette/e2e";
import { RecordedChain } from "@vedette/node/replay";
import { type Block, encodeBlock } from "@vedette/protocol";
import type { Measurements } from "../Measurements.js";
import { HostilePeer } from "./HostilePeer.js";
import { exploreHostileTerms } from "./hostileExplorations.js";
import { MemoryPhases } from "./MemoryPhases.js";
import { sendMalformedRequests } from "./malformedRequests.js";
import { useOrdinarily } from "./ordinaryUse.js";

const ordinary = { reads: { count: 20_000, atOnce: 64 }, explorations: { count: 200, atOnce: 4 } } as const;
const malformed = { count: 20_000, atOnce: 64 } as const;
const explorations = 36;
const together = 50;
const mutations = { count: 50_000, atOnce: 32 } as const;
/** A chunk stream of a genesis of some megabytes would be most of what is sent. */
const largestBlockBytes = 100_000;
const mutatedBlocks = 8;

type Attack = readonly [string, () => Promise<unknown>];

/**
 * Measures the memory of an observer with default settings in ordinary use, and during and after abuse of every kind.
 */
export async function benchObserverMemory(
  measurements: Measurements,
  { recording, only, quietMs }: { readonly recording: string; readonly only: RegExp; readonly quietMs: number },
): Promise<void> {
  await using network = new RecordedNetwork("solo");
  const server = await network.serve();
  const observer = await network.observer("replayAll", "observer");
  await untilSynced(observer, server);
  const chain = [...new RecordedChain(recording).blocks()];
  using phases = new MemoryPhases(measurements, { name: "observer", pid: observer.pid!, quietMs });
  await phases.begin(() => useOrdinarily(observer.ports.http, recording, ordinary));
  for (const [name, attack] of attacksOn(observer, network.networkId, chain)) {
    if (!only.test(name)) continue;
    await phases.run(name, attack);
    if ((await observer.get("/api/status")).length === 0) throw new Error(`the observer is silent after ${name}`);
  }
  phases.end();
}

function attacksOn(observer: NodeProcess, networkId: string, chain: readonly Block[]): readonly Attack[] {
  const { http } = observer.ports;
  return [
    ["malformed requests", () => sendMalformedRequests(http, malformed)],
    ["hostile explorations", () => exploreHostileTerms(http, { count: explorations, atOnce: 1 })],
    ["hostile explorations at once", () => exploreHostileTerms(http, { count: together, atOnce: together })],
    ["mutated peer messages", () => sendMutations(observer, networkId, chain)],
  ];
}

async function sendMutations(observer: NodeProcess, networkId: string, chain: readonly Block[]): Promise<void> {
  await using peer = new HostilePeer(await observer.address(), networkId);
  await peer.join();
  const blocks = chain.filter((block) => encodeBlock(block).length < largestBlockBytes).slice(-mutatedBlocks);
  await peer.sendMutations(blocks, mutations);
}
