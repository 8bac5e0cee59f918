import type { Block } from "@vedette/protocol";
import { chainsThatAreThere, ownChain, until } from "@vedette/testing";
import { describe, expect, test } from "vitest";
import { joined, proofOf, provenHistory, proving, rightHistory } from "../testing/provingNode.js";
import { readRecording, TestDisk, TestSyncNode, TrustedExecution } from "../testing/TestSyncNode.js";

const never = new AbortController().signal;

describe("the proof of a history", () => {
  test.for(chainsThatAreThere("merge"))(
    "reaches the block that the node began with, from genesis (chain %s)",
    async (name) => {
      const proven = await provenHistory(name);
      expect(proven).toMatchObject(rightHistory(proven.approvedNumber));
    },
  );

  test("goes on after being broken off again and again", async () => {
    const recording = readRecording(ownChain);
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

  test("refutes a history of which a block leads elsewhere", async () => {
    const recording = readRecording(ownChain);
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
  });

  test("waits for a peer that has blocks since genesis", async () => {
    const recording = readRecording(ownChain);
    await using server = await (await new TestSyncNode(recording).load(recording)).start();
    await using node = await joined(recording, server);
    const { proof } = proofOf(recording, node, new TestDisk(), new TrustedExecution());
    const ended = new AbortController();
    await server[Symbol.asyncDispose]();
    const run = proving(node, proof, ended.signal);
    await until("the proof to find no peer", () => proof.reason !== undefined);
    ended.abort(new Error("ended"));
    await expect(run).rejects.toThrow("ended");
    expect(proof.height).toBe(-1n);
  });
});
