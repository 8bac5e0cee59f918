import { setTimeout as sleep } from "node:timers/promises";
import { share, TestValidator, testGenesis } from "@vedette/chain/testing";
import { type Block, blockRanges, decodeBlockRangeQuestion, encodeBlock, encodeBlockRange } from "@vedette/protocol";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type Recording, TestSyncNode } from "../testing/TestSyncNode.js";

const height = 40;
let chain: Recording;
/** Has the whole chain and answers truthfully; no test changes it. */
let full: TestSyncNode;
/** Has the whole chain too, and answers questions for blocks by their heights as a test wants it. */
let liar: TestSyncNode;
let lieNow: Lie;
/** Bounds that a short chain crosses as often as a long one does those of a node. */
const bounds = { heights: 8n, behind: 8n, calmMs: 50 };
/** Blocks of a creator without stake. */
let strangers: Block[];
const nodes: TestSyncNode[] = [];

/** A chain that two validators make in turns. */
async function madeChain(names: readonly [string, string], blocks: number) {
  const genesis = testGenesis({ [names[0]]: 100, [names[1]]: 100 });
  const validators = names.map((name) => new TestValidator(name, genesis));
  const made = [genesis];
  for (let at = 0; at < blocks; at += 1) {
    const [maker, other] = [validators[at % 2]!, validators[(at + 1) % 2]!];
    const block = await maker.make();
    await share(block, other);
    made.push(block);
  }
  return { genesis, blocks: made, rules: validators[0]!.chain.rules };
}

beforeAll(async () => {
  const { genesis, blocks, rules } = await madeChain(["v1", "v2"], height);
  const approved = { candidate: { block: genesis, requiredSignatures: 0 }, signatures: [] };
  chain = { name: "made", approved, blocks, rules, statePages: [] };
  strangers = (await madeChain(["v3", "v4"], 30)).blocks.slice(1);
  full = await started(height);
  liar = await started(height);
  liar.network.answer(blockRanges, async (_peer, question) => {
    const { from, to } = decodeBlockRangeQuestion(question);
    return to < from ? encodeBlockRange({ blocks: [], next: from, height: BigInt(height) }) : lieNow(from, to);
  });
  nodes.length = 0;
});

afterAll(async () => {
  for (const node of [full, liar]) await node[Symbol.asyncDispose]();
});

afterEach(async () => {
  for (const node of nodes.splice(0)) await node[Symbol.asyncDispose]();
});

/** @param blocks how many of the chain it has */
async function started(
  blocks: number,
  options: ConstructorParameters<typeof TestSyncNode>[1] = {},
): Promise<TestSyncNode> {
  const node = new TestSyncNode(chain, options);
  nodes.push(node);
  await node.load({ ...chain, blocks: chain.blocks.slice(0, blocks + 1) });
  return node.start();
}

async function connect(node: TestSyncNode, ...others: TestSyncNode[]): Promise<void> {
  for (const other of others) await node.network.connect(other.peer);
}

function heightOf(node: TestSyncNode): number {
  return Number(node.chain.dag.nextBlockNumber()) - 1;
}

function requestsOf(node: TestSyncNode): number {
  return node.networkEvents.filter((event) => event.type === "messageSent" && event.kind === "BlockRequest").length;
}

function rangesOf(node: TestSyncNode): number {
  return node.events.filter(({ type }) => type === "rangeReceived").length;
}

describe("blocks that are missed", () => {
  test("come by their heights from peers that take such questions, many at once", async () => {
    const late = await started(0, { ranges: bounds });
    await connect(late, full);
    await late.until(() => rangesOf(late) > 0);
    const requested = requestsOf(late);
    await late.until(() => heightOf(late) === height);
    expect(late.chain.dag.lastFinalized()?.number).toBeGreaterThan(height - 4);
    expect(rangesOf(late)).toBeLessThan(20);
    // The search by hashes begins at once, and pauses while blocks come by their heights.
    expect(requestsOf(late) - requested).toBeLessThan(10);
  });

  test("come by their hashes from peers that do not, and those get no range request", async () => {
    const silent = await started(height, { questions: undefined });
    const late = await started(height - 30);
    await connect(late, silent);
    await late.until(() => heightOf(late) === height);
    expect(rangesOf(late)).toBe(0);
    expect(requestsOf(late)).toBeGreaterThan(10);
  });

  test("come from several peers, also when one of them knows less", async () => {
    const half = await started(height / 2);
    const late = await started(0, { ranges: bounds });
    await connect(late, half, full);
    await late.until(() => heightOf(late) === height);
  });
});

type Lie = (from: bigint, to: bigint) => Promise<Uint8Array | undefined>;

const range = (blocks: readonly Block[], next: bigint) =>
  encodeBlockRange({ blocks: blocks.map((block) => encodeBlock(block)), next, height: BigInt(height) });
const honest = (from: bigint, to: bigint) => chain.blocks.slice(Number(from), Number(to) + 1);
const after = (_: bigint, to: bigint) => (to > BigInt(height) ? BigInt(height) + 1n : to + 1n);

const lies: Readonly<Record<string, Lie>> = {
  "with holes": async (from, to) =>
    range(
      honest(from, to).filter(({ number }) => number % 7n !== 3n),
      after(from, to),
    ),
  "with blocks of another chain": async (from, to) => range(strangers, after(from, to)),
  "with nothing": async (from, to) => range([], after(from, to)),
  "without an end": async (from) => range([], from),
  "with bytes that are no blocks": async (from, to) =>
    encodeBlockRange({ blocks: [new Uint8Array(100).fill(7)], next: after(from, to), height: BigInt(height) }),
  "with bytes that are no answer": async () => new Uint8Array(1_000).fill(255),
  "that are too long": async (from, to) =>
    encodeBlockRange({ blocks: [new Uint8Array(5 << 20)], next: after(from, to), height: BigInt(height) }),
  "in the wrong order": async (from, to) => range(honest(from, to).toReversed(), after(from, to)),
  "of which each comes twice": async (from, to) =>
    range(
      honest(from, to).flatMap((block) => [block, block]),
      after(from, to),
    ),
  "of other heights": async (from, to) => range(honest(from + 15n, to + 15n), after(from, to)),
  "and heights that no peer has": async (from, to) =>
    encodeBlockRange({ blocks: honest(from, to).map(encodeBlock), next: to + 1n, height: 1n << 62n }),
  never: async (_, __) => sleep(60_000, undefined, { ref: false }).then(() => undefined),
};

describe("answers of a liar do no harm:", () => {
  test.each(Object.entries(lies))("blocks %s", async (_, lie) => {
    lieNow = lie;
    const late = await started(0, { ranges: bounds });
    await connect(late, liar);
    await connect(late, full);
    await late.until(() => heightOf(late) === height);
    expect(late.chain.dag.lastFinalized()?.number).toBeGreaterThan(height - 4);
    expect(late.chain.dag.invalidBlocks()).toEqual([]);
  });
});
