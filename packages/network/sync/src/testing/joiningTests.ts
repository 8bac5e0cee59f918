import { toHex } from "@vedette/crypto";
import { findMissing } from "@vedette/tuplespace";
import { describe, expect, test } from "vitest";
import { readRecording, TestDisk, TestSyncNode } from "./TestSyncNode.js";

/** Which chains a node joins. */
export interface JoinedChains {
  /** Those of which the tips are reached. */
  readonly tips: readonly string[];
  /** Those on which it is killed meanwhile. */
  readonly killed: readonly string[];
  /** Those on which it starts again, or has a bootstrap that began later or is of another shard. */
  readonly others: readonly string[];
}

const hashesOf = (node: TestSyncNode) =>
  [...node.chain.dag.blocksByHeight(0n, 1_000_000n)].map(({ hash }) => toHex(hash)).sort();
const latestOf = (node: TestSyncNode) => node.chain.dag.latestMessages().map(({ hash }) => toHex(hash));
const caughtUp = (node: TestSyncNode, other: TestSyncNode) =>
  node.engine.status().state === "running" && latestOf(other).every((hash) => latestOf(node).includes(hash));

/** The common behavior of all nodes that join a network; run for several chains. */
export function joiningTests({ tips, killed, others }: JoinedChains): void {
  describe("a node that joins a network", () => {
    test.for(tips)("reaches the tips of %s from the last finalized state", async (name) => {
      const recording = readRecording(name);
      await using server = await (await new TestSyncNode(recording).load(recording)).start();
      await using node = await new TestSyncNode(recording, { bootstrap: server.peer }).start();
      await node.until(() => caughtUp(node, server));
      expect(toHex(node.engine.status().approved!.hash)).toBe(toHex(server.chain.dag.lastFinalized()!.hash));
      const root = node.engine.status().approved!.body.state.postStateHash;
      expect(findMissing(node.disk.state, root).nodes).toEqual([]);
      expect(node.disk.state.hasRoot(root)).toBe(true);
      expect(node.chain.dag.lastFinalized()!.number).toBe(server.chain.dag.lastFinalized()!.number);
      expect(node.engine.status()).toMatchObject({ state: "running", waitingBlocks: 0, validatableBlocks: 0 });
    });

    test.for(tips)("reaches the tips of %s by replaying every block", async (name) => {
      const recording = readRecording(name);
      await using server = await (await new TestSyncNode(recording).load(recording)).start();
      await using node = await new TestSyncNode(recording, { bootstrap: server.peer, beginning: "replayAll" }).start();
      await node.until(() => caughtUp(node, server));
      expect(hashesOf(node)).toEqual(hashesOf(server));
      expect(toHex(node.engine.status().approved!.hash)).toBe(toHex(recording.approved.candidate.block.hash));
      expect(toHex(node.chain.dag.lastFinalized()!.hash)).toBe(toHex(server.chain.dag.lastFinalized()!.hash));
    });

    test.for(killed)("goes on after being killed again and again while it replays (chain %s)", async (name) => {
      const recording = readRecording(name);
      await using server = await (await new TestSyncNode(recording).load(recording)).start();
      const disk = new TestDisk();
      const third = Math.floor(recording.blocks.length / 3);
      for (const enough of [1, third >> 1, third]) {
        await using node = await new TestSyncNode(
          recording,
          { bootstrap: server.peer, beginning: "replayAll" },
          disk,
        ).start();
        await node.until(() => node.events.filter(({ type }) => type === "blockProcessingStarted").length >= enough);
      }
      for (const enough of [1, 5, 10]) {
        await using node = await new TestSyncNode(
          recording,
          { bootstrap: server.peer, beginning: "replayAll" },
          disk,
        ).start();
        await node.until(
          () => caughtUp(node, server) || node.events.filter(({ type }) => type === "blockValidated").length >= enough,
        );
      }
      await using node = await new TestSyncNode(
        recording,
        { bootstrap: server.peer, beginning: "replayAll" },
        disk,
      ).start();
      await node.until(() => caughtUp(node, server));
      expect(hashesOf(node)).toEqual(hashesOf(server));
    });

    test.for(killed)(
      "goes on with the state that it has after being killed while it imports (chain %s)",
      async (name) => {
        const recording = readRecording(name);
        await using server = await (await new TestSyncNode(recording).load(recording)).start();
        const disk = new TestDisk();
        const options = { bootstrap: server.peer, statePageNodes: 20 };
        const pages = (node: TestSyncNode) => node.events.filter(({ type }) => type === "statePageImported").length;
        {
          await using node = await new TestSyncNode(recording, options, disk).start();
          await node.until(() => pages(node) >= 3);
          expect(node.chain.blocks.approvedBlock()).toBeUndefined();
        }
        await using node = await new TestSyncNode(recording, options, disk).start();
        await node.until(() => caughtUp(node, server));
        expect(pages(node)).toBeGreaterThan(3);
        const root = node.engine.status().approved!.body.state.postStateHash;
        expect(findMissing(node.disk.state, root).nodes).toEqual([]);
      },
    );

    test.for(others)(
      "starts again from its own chain, without its bootstrap's approved block (chain %s)",
      async (name) => {
        const recording = readRecording(name);
        const disk = new TestDisk();
        await using server = await (await new TestSyncNode(recording).load(recording)).start();
        {
          await using node = await new TestSyncNode(recording, { bootstrap: server.peer }, disk).start();
          await node.until(() => caughtUp(node, server));
        }
        await using node = await new TestSyncNode(recording, { bootstrap: server.peer }, disk).start();
        await node.until(() => node.events.some(({ type }) => type === "enteredRunning"));
        expect(node.events[0]).toEqual({ type: "launched", state: "running" });
        expect(server.events.filter(({ type }) => type === "approvedBlockServed").length).toBe(1);
      },
    );

    test.for(others)("replays everything though its bootstrap began later (chain %s)", async (name) => {
      const recording = readRecording(name);
      await using source = await (await new TestSyncNode(recording).load(recording)).start();
      const trimmed = await new TestSyncNode(recording, { bootstrap: source.peer }).start();
      await using _trimmed = trimmed;
      await trimmed.until(() => caughtUp(trimmed, source));
      await using node = await new TestSyncNode(recording, { bootstrap: trimmed.peer, beginning: "replayAll" }).start();
      await node.until(() => caughtUp(node, source));
      expect(hashesOf(node)).toEqual(hashesOf(source));
    });
  });

  test.for(others)("a node of another shard reports it, and does not begin (chain %s)", async (name) => {
    const recording = readRecording(name);
    await using server = await (await new TestSyncNode(recording).load(recording)).start();
    await using node = await new TestSyncNode(recording, { bootstrap: server.peer, shardName: "other" }).start();
    await node.until(() => node.events.some(({ type }) => type === "approvedBlockRefused"));
    expect(node.events.find(({ type }) => type === "approvedBlockRefused")).toMatchObject({
      reason:
        "Connected to the wrong shard. Approved block received from bootstrap is in shard 'root' but expected is 'other'. Check configuration option shard-name.",
    });
    expect(node.engine.status().state).toBe("initializing");
  });
}
