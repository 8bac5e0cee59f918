import { type BlockExecution, Chain } from "@vedette/chain";
import type { Block } from "@vedette/protocol";
import { chainsThatAreThere } from "@vedette/testing";
import { describe, expect, test } from "vitest";
import {
  chainPorts,
  type Recording,
  readRecording,
  TestDisk,
  TestSyncNode,
  TrustedExecution,
} from "../testing/TestSyncNode.js";
import { HistoryProof } from "./HistoryProof.js";

const names = chainsThatAreThere("solo", "trio", "merge");
const recordings = new Map(names.map((name) => [name, readRecording(name)]));
const times = { lookMs: 20, standstillMs: 2_000, beginMs: 2_000, retryMs: 50 };

/** A node that began at a state, and the second chain of its proof. */
function proofOf(recording: Recording, node: TestSyncNode, disk: TestDisk, execution: BlockExecution) {
  const nowMs = () => Date.now() + 10 * 365 * 86_400_000;
  const chain = new Chain({ store: disk.chain, rules: recording.rules, execution, nowMs });
  const ports = { ...chainPorts(chain), dialect: recording.rules.dialect, nowMs, store: disk.chain };
  const stateImport = {
    hasRoot: async () => true,
    missing: async () => [],
    importPage: async () => ({ nextPath: undefined }),
    recordRoot: async () => undefined,
  };
  const proof = new HistoryProof({
    target: node.engine.status().approved!,
    chain: { ...ports, shardName: recording.rules.shardName, stateImport },
    verdictOf: (hash) => {
      const block = chain.dag.find(hash);
      return block === undefined ? undefined : block.invalid ? "invalid" : "valid";
    },
    peers: node.network,
    questions: node.network,
    bootstrap: node.network.peers[0],
    ...{ times, syncTimes: { approvedRetryMs: 50, maintenanceMs: 200, retrieverMs: 100 } },
  });
  return { chain, proof };
}

/** Has a node take packets for a proof too. */
async function proving(node: TestSyncNode, proof: HistoryProof, signal: AbortSignal) {
  node.also = (peer, typeId, content) => proof.handlePacket(peer, typeId, content);
  return proof.run(signal);
}

async function joined(recording: Recording, server: TestSyncNode): Promise<TestSyncNode> {
  const node = await new TestSyncNode(recording, { bootstrap: server.peer }).start();
  await node.until(() => node.engine.status().state === "running");
  return node;
}

const never = new AbortController().signal;

describe("the proof of a history", () => {
  test.for(names)("reaches the block that the node began with, from genesis (chain %s)", async (name) => {
    const recording = recordings.get(name)!;
    await using server = await (await new TestSyncNode(recording).load(recording)).start();
    await using node = await joined(recording, server);
    const before = node.chain.dag.nextBlockNumber();
    const { chain, proof } = proofOf(recording, node, new TestDisk(), new TrustedExecution());
    expect(await proving(node, proof, never)).toEqual({ kind: "proven" });
    const approved = node.engine.status().approved!;
    expect(chain.dag.find(approved.hash)).toMatchObject({ invalid: false, number: approved.number });
    expect(chain.blocks.approvedBlock()!.candidate.block.number).toBe(0n);
    // The chain that the node follows has heard of nothing.
    expect([...node.chain.dag.blocksByHeight(0n, 0n)].length).toBe(approved.number > 50n ? 0 : 1);
    expect(node.chain.dag.nextBlockNumber()).toBeGreaterThanOrEqual(before);
  });

  test.for(chainsThatAreThere("solo"))("goes on after being broken off again and again (chain %s)", async (name) => {
    const recording = recordings.get(name)!;
    await using server = await (await new TestSyncNode(recording).load(recording)).start();
    await using node = await joined(recording, server);
    const disk = new TestDisk();
    for (const height of [1n, 2n, 4n]) {
      const execution = new TrustedExecution();
      const ended = new AbortController();
      const { chain, proof } = proofOf(recording, node, disk, execution);
      execution.replayed = () => {
        if (chain.dag.nextBlockNumber() > height) ended.abort(new Error("killed"));
      };
      await expect(proving(node, proof, ended.signal)).rejects.toThrow("killed");
    }
    const { chain, proof } = proofOf(recording, node, disk, new TrustedExecution());
    expect(chain.dag.nextBlockNumber()).toBeGreaterThan(3n);
    expect(await proving(node, proof, never)).toEqual({ kind: "proven" });
  });

  test.for(chainsThatAreThere("solo"))(
    "refutes a history of which a block leads elsewhere (chain %s)",
    async (name) => {
      const recording = recordings.get(name)!;
      await using server = await (await new TestSyncNode(recording).load(recording)).start();
      await using node = await joined(recording, server);
      const execution = new TrustedExecution();
      execution.leadsTo = ({ number, body }: Block) =>
        number === 4n ? new Uint8Array(32).fill(7) : body.state.postStateHash;
      const { proof } = proofOf(recording, node, new TestDisk(), execution);
      expect(await proving(node, proof, never)).toMatchObject({
        kind: "refuted",
        reason: expect.stringMatching(/^block #\d+ .* is refused as (InvalidTransaction|NeglectedInvalidBlock)$/),
      });
    },
  );

  test.for(chainsThatAreThere("solo"))("waits for a peer that has blocks since genesis (chain %s)", async (name) => {
    const recording = recordings.get(name)!;
    await using server = await (await new TestSyncNode(recording).load(recording)).start();
    await using node = await joined(recording, server);
    const { proof } = proofOf(recording, node, new TestDisk(), new TrustedExecution());
    const ended = new AbortController();
    await server[Symbol.asyncDispose]();
    const run = proving(node, proof, ended.signal);
    while (proof.reason === undefined) await new Promise((resolve) => setTimeout(resolve, 20));
    ended.abort(new Error("ended"));
    await expect(run).rejects.toThrow("ended");
    expect(proof.height).toBe(-1n);
  });
});
