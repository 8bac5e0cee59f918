import { setTimeout as sleep } from "node:timers/promises";
import type { NodeProcess } from "@vedette/cli/testing";
import { toHex } from "@vedette/crypto";
import type { Block } from "@vedette/protocol";
import { slowness, until } from "@vedette/testing";
import { expect } from "vitest";
import { HostilePeer, randomHashes, type Signer, signedAs, signerOf } from "./HostilePeer.js";
import { RecordedNetwork, untilSynced } from "./recordedNetwork.js";

const lookMs = 100;
/** As many as a node takes of one peer at a time. */
const blocksAtOnce = 6;
/**
 * The maximum pause of the main thread itself, on a quiet machine; the time of other programs does not count. Half a
 * dozen blocks come at once.
 */
const maxPauseMs = 1_000;
/** How long a node is looked at when all blocks have come, and when it has started again. */
const watchedMs = 4_000;

/** Which absurd blocks are sent, and what is looked at besides the node's answers. */
export interface HostileValidatorTrial {
  readonly chain: string;
  /** Sends each block of which the number is divisible by this. */
  readonly every: number;
  /** Whether the main thread's pauses are measured, which takes seconds. */
  readonly isMeasured: boolean;
}

/** A bonded validator signs absurd blocks: neither the node that it calls nor one that receives them is harmed. */
export async function expectUnharmed({ chain, every, isMeasured }: HostileValidatorTrial): Promise<void> {
  await using network = new RecordedNetwork(chain);
  const last = network.blocks().at(-1)!;
  const signer = ["v1", "v2", "v3"].map(signerOf).find(({ publicKey }) => toHex(publicKey) === toHex(last.sender))!;
  const more = ["--fork-choice-check-if-stale-interval=1s", "--fork-choice-stale-threshold=1s"];
  const server = await network.serve(more, isMeasured);
  const observer = await network.observer("importState", "observer", more, isMeasured);
  await untilSynced(observer, server);
  const before = JSON.parse(await server.get("/status")).syncStatus;
  // Making them keeps this process busy for a while.
  const blocks = absurdBlocks(last, signer).filter((_, index) => index % every === 0);
  const watches = [server, observer].map((node) => new StatusWatch(node));
  await using peer = await HostilePeer.connect(server, network);
  const lines = [server, observer].map((node) => node.lines.length);
  for (let at = 0; at < blocks.length; at += blocksAtOnce)
    await Promise.all(
      blocks.slice(at, at + blocksAtOnce).map(async (block) => settled(server, await peer.announce(block), block)),
    );
  if (isMeasured) await sleep(watchedMs);
  expectSameHeight(await Promise.all(watches.map((watch) => watch.end())));
  const pauses = [server, observer].map((node, index) => node.longestPause(lines[index]!));
  if (isMeasured) console.log("longest pauses, server and observer:", pauses);
  for (const { ownMs } of pauses) expect(ownMs).toBeLessThan(maxPauseMs * slowness());
  console.log(`requests to the peer: ${peer.asked.length}`);
  expect(JSON.parse(await server.get("/status")).syncStatus).toMatchObject({
    ...{ phase: "following", blockNumber: before.blockNumber, bestPeerBlockNumber: before.blockNumber },
  });
  // Blocks that refer to missing ones are requested for a while, but not for each of their 2,000 parts.
  expect(peer.asked.length).toBeLessThan(2_000);
  await observer.kill();
  const again = await network.observer("importState", "observer", more, isMeasured);
  const startedMs = performance.now();
  await again.line(/HTTP API server started/);
  // It answers before it has read the tolerance from its chain's state, where f1r3node networks keep it.
  await expect.poll(async () => JSON.parse(await again.get("/status")).syncStatus.blockNumber).toBe(before.blockNumber);
  console.log(`restart: ${Math.round(performance.now() - startedMs)} ms`);
  const restarted = new StatusWatch(again);
  if (isMeasured) await sleep(watchedMs);
  await restarted.end();
}

/** No absurd height is taken for the chain's. */
function expectSameHeight(watched: readonly WatchedStatus[]): void {
  const shown = watched.map(({ usualMs, longestMs }) => `${Math.round(usualMs)} (longest ${Math.round(longestMs)})`);
  console.log(`/status in ms, server and observer: ${shown.join(", ")}`);
  for (const { bodies } of watched) {
    expect(bodies.length).toBeGreaterThan(0);
    for (const { bestPeerBlockNumber, blockNumber, secondsLeft } of bodies) {
      expect(bestPeerBlockNumber).toBe(blockNumber);
      expect(secondsLeft ?? 0).toBeLessThan(60);
    }
  }
}

/** Seventy blocks, each absurd in another way; nine of them bond two thousand keys without owners. */
function absurdBlocks(good: Block, signer: Signer): Block[] {
  const blockNumber = 4_600_000_000_000_000_000n;
  const bondsOf = (count: number) => randomHashes(count, 65).map((validator) => ({ validator, stake: 1n << 62n }));
  return Array.from({ length: 70 }, (_, index) => {
    const extraBytes = Uint8Array.of(index);
    const state = { ...good.body.state, ...(index % 2 === 0 ? { blockNumber } : { blockNumber: -1n - BigInt(index) }) };
    if (index < 9)
      return signedAs(
        { ...good, extraBytes, body: { ...good.body, state: { ...state, bonds: bondsOf(2_000), blockNumber } } },
        signer,
      );
    const justifications = randomHashes(2_000).map((latestBlockHash) => ({ validator: good.sender, latestBlockHash }));
    if (index < 12) return signedAs({ ...good, extraBytes, justifications }, signer);
    if (index < 15) return signedAs({ ...good, extraBytes, justifications }, signerOf(`stranger ${index}`));
    return signedAs(
      { ...good, extraBytes, body: { ...good.body, state: { ...state, blockNumber } }, sequenceNumber: index },
      signer,
    );
  });
}

/** Waits until the node has logged something about a block. */
async function settled(node: NodeProcess, from: number, { hash }: Block): Promise<void> {
  const name = toHex(hash).slice(0, 10);
  const isSettled = (line: string) =>
    line.includes(name) && /validated:|Dropped|missing dependencies|could not be processed/.test(line);
  const lines = () => node.lines.slice(from);
  await until(`the node to log something about ${name}`, () => lines().some(isSettled), {
    state: () => lines().join("\n"),
  });
}

interface WatchedStatus {
  readonly usualMs: number;
  readonly longestMs: number;
  readonly bodies: readonly Record<string, number | null>[];
}

/** Requests a node's status repeatedly. */
class StatusWatch {
  readonly #bodies: Record<string, number | null>[] = [];
  readonly #asking: Promise<void>;
  readonly #times: number[] = [];
  #isOver = false;

  constructor(node: NodeProcess) {
    this.#asking = this.#ask(node);
  }

  async end(): Promise<WatchedStatus> {
    this.#isOver = true;
    await this.#asking;
    const times = this.#times.sort((left, right) => left - right);
    return { usualMs: times[times.length >> 1]!, longestMs: times.at(-1)!, bodies: this.#bodies };
  }

  async #ask(node: NodeProcess): Promise<void> {
    do {
      const startedMs = performance.now();
      this.#bodies.push(JSON.parse(await node.get("/status")).syncStatus);
      this.#times.push(performance.now() - startedMs);
      await sleep(lookMs);
    } while (!this.#isOver);
  }
}
