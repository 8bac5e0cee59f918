import { setTimeout as sleep } from "node:timers/promises";
import type { NodeProcess } from "@vedette/cli/testing";
import { toHex } from "@vedette/crypto";
import type { Block } from "@vedette/protocol";
import { areRecordingsThere, turnsOfTheDay } from "@vedette/testing";
import { expect, test } from "vitest";
import { HostilePeer, madeUp, type Signer, signedAs, signerOf } from "./HostilePeer.js";
import { RecordedNetwork, untilSynced } from "./recordedNetwork.js";

/** Of either node; those that lie beside the checkout. */
const chains = areRecordingsThere ? ["trio", "trio-r"] : [];
const lookMs = 100;
/** Of the main thread itself; what other programs take of the machine is not counted. Half a dozen blocks come at once. */
const mostPauseMs = 1_000;
/** A machine that does other work answers late by itself: half of all answers must come within this. */
const usualStatusMs = 1_000;

test.skipIf(chains.length === 0).each(turnsOfTheDay(chains))(
  "a bonded validator that signs absurd blocks freezes neither the node that it calls nor those that hear of them: %s",
  { timeout: 400_000 },
  async (chain) => {
    await using network = new RecordedNetwork(chain);
    const last = network.blocks().at(-1)!;
    const signer = ["v1", "v2", "v3"].map(signerOf).find(({ publicKey }) => toHex(publicKey) === toHex(last.sender))!;
    const more = ["--fork-choice-check-if-stale-interval=1s", "--fork-choice-stale-threshold=1s"];
    const server = await network.serve(more, true);
    const observer = await network.observer("importState", "observer", more, true);
    await untilSynced(observer, server, 120_000);
    const before = JSON.parse(await server.get("/status")).syncStatus;
    // Making them keeps this process busy for a while.
    const blocks = absurdBlocks(last, signer);
    const watches = [server, observer].map((node) => new StatusWatch(node));
    await using peer = await HostilePeer.connect(server, network);
    const lines = [server, observer].map((node) => node.lines.length);
    // No more at a time than a node takes of one peer.
    for (let at = 0; at < blocks.length; at += 6)
      await Promise.all(
        blocks.slice(at, at + 6).map(async (block) => settled(server, await peer.announce(block), block)),
      );
    await sleep(5_000);
    const told = await Promise.all(watches.map((watch) => watch.end()));
    const pauses = [server, observer].map((node, index) => node.longestPause(lines[index]!));
    const shown = told.map(({ usualMs, longestMs }) => `${Math.round(usualMs)} (longest ${Math.round(longestMs)})`);
    console.log(`/status in ms, server and observer: ${shown.join(", ")}`);
    console.log("longest pauses, server and observer:", pauses);
    console.log(`questions that the peer was asked: ${peer.asked.length}`);
    for (const { ownMs } of pauses) expect(ownMs).toBeLessThan(mostPauseMs);
    for (const { usualMs, bodies } of told) {
      expect(usualMs).toBeLessThan(usualStatusMs);
      for (const { bestPeerBlockNumber, blockNumber, secondsLeft } of bodies) {
        expect(bestPeerBlockNumber).toBe(blockNumber);
        expect(secondsLeft ?? 0).toBeLessThan(60);
      }
    }
    expect(JSON.parse(await server.get("/status")).syncStatus).toMatchObject({
      ...{ phase: "following", blockNumber: before.blockNumber, bestPeerBlockNumber: before.blockNumber },
    });
    // Blocks that refer to what nobody has are asked about for a while, but not for each of their 2,000 parts.
    expect(peer.asked.length).toBeLessThan(2_000);
    await observer.kill();
    const again = await network.observer("importState", "observer", more, true);
    const startedMs = performance.now();
    await again.line(/HTTP API server started/);
    // It answers before it has asked its chain's state for the tolerance, which networks of the newer node keep there.
    await expect
      .poll(async () => JSON.parse(await again.get("/status")).syncStatus.blockNumber, { timeout: 30_000 })
      .toBe(before.blockNumber);
    console.log(`restart: ${Math.round(performance.now() - startedMs)} ms`);
    const restarted = new StatusWatch(again);
    await sleep(4_000);
    expect((await restarted.end()).usualMs).toBeLessThan(usualStatusMs);
  },
);

/** Seventy blocks, each absurd in another way; nine of them bond two thousand keys that nobody has. */
function absurdBlocks(good: Block, signer: Signer): Block[] {
  const blockNumber = 4_600_000_000_000_000_000n;
  const bondsOf = (count: number) => madeUp(count, 65).map((validator) => ({ validator, stake: 1n << 62n }));
  return Array.from({ length: 70 }, (_, index) => {
    const extraBytes = Uint8Array.of(index);
    const state = { ...good.body.state, ...(index % 2 === 0 ? { blockNumber } : { blockNumber: -1n - BigInt(index) }) };
    if (index < 9)
      return signedAs(
        { ...good, extraBytes, body: { ...good.body, state: { ...state, bonds: bondsOf(2_000), blockNumber } } },
        signer,
      );
    const justifications = madeUp(2_000).map((latestBlockHash) => ({ validator: good.sender, latestBlockHash }));
    if (index < 12) return signedAs({ ...good, extraBytes, justifications }, signer);
    if (index < 15) return signedAs({ ...good, extraBytes, justifications }, signerOf(`stranger ${index}`));
    return signedAs(
      { ...good, extraBytes, body: { ...good.body, state: { ...state, blockNumber } }, sequenceNumber: index },
      signer,
    );
  });
}

/** Waits until the node has said something of a block. */
async function settled(node: NodeProcess, from: number, { hash }: Block): Promise<void> {
  const name = toHex(hash).slice(0, 10);
  const isSettled = (line: string) =>
    line.includes(name) && /validated:|Dropped|missing dependencies|could not be processed/.test(line);
  for (const giveUpMs = Date.now() + 60_000; !node.lines.slice(from).some(isSettled); await sleep(20))
    if (Date.now() > giveUpMs) throw new Error(`nothing is said of ${name}:\n${node.lines.slice(from).join("\n")}`);
}

/** Asks a node for its status again and again. */
class StatusWatch {
  readonly #bodies: Record<string, number | null>[] = [];
  readonly #asking: Promise<void>;
  readonly #times: number[] = [];
  #isOver = false;

  constructor(node: NodeProcess) {
    this.#asking = this.#ask(node);
  }

  async end() {
    this.#isOver = true;
    await this.#asking;
    const times = this.#times.sort((left, right) => left - right);
    return { usualMs: times[times.length >> 1]!, longestMs: times.at(-1)!, bodies: this.#bodies };
  }

  async #ask(node: NodeProcess): Promise<void> {
    for (; !this.#isOver; await sleep(lookMs)) {
      const startedMs = performance.now();
      const text = await node.get("/status").catch(() => undefined);
      if (text !== undefined) this.#bodies.push(JSON.parse(text).syncStatus);
      this.#times.push(text === undefined ? Number.POSITIVE_INFINITY : performance.now() - startedMs);
    }
  }
}
