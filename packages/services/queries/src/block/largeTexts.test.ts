import { fromHex, secp256k1PublicKeyOf } from "@vedette/crypto";
import { Block, encodeBlock, signDeploy } from "@vedette/protocol";
import { expect, test, vi } from "vitest";
import { insertLine } from "../testing/syntheticChain.js";
import { TestQueries } from "../testing/TestQueries.js";
import { BlockAnswers } from "./BlockAnswers.js";
import { BlockQueries } from "./BlockQueries.js";
import { F1r3nodeBlockAnswers, type F1r3nodeBlockReads } from "./F1r3nodeBlockAnswers.js";

const request = { client: "10.0.0.1" };
const privateKey = fromHex("11".repeat(32));
const key = { algorithm: "secp256k1", privateKey, publicKey: secp256k1PublicKeyOf(privateKey) } as const;
/** Each of its bytes takes six characters in JSON. */
const termOf = (length: number) => `"${"\u0001".repeat(length)}"`;
const terms = { timestamp: 1n, phloPrice: 1n, phloLimit: 1_000n, validAfterBlockNumber: 0n, shardId: "root" };
const longTerm = termOf(1_500_000);

/** Answers about a chain whose blocks have one program; how often a block was read. */
function answersOf(dialect: "rnode" | "f1r3node", term = longTerm) {
  const deploy = signDeploy({ ...terms, term }, key);
  const processed = { deploy, cost: 1n, log: [], failed: false, systemDeployError: "" };
  const { chain } = dialect === "rnode" ? TestQueries.empty() : TestQueries.emptyF1r3node();
  const hashes = insertLine(chain, 3);
  let reads = 0;
  const withProgram = (hash: Uint8Array) => {
    const block = chain.blocks.read(hash)!;
    return new Block({ ...block, body: { ...block.body, deploys: [processed] } });
  };
  const length = encodeBlock(withProgram(fromHex(hashes[1]!))).length;
  const read = (hash: Uint8Array) => {
    reads += 1;
    return withProgram(hash);
  };
  const stored = { has: () => true, lengthOf: () => length, read, findBytes: () => undefined };
  const { dag, equivocations, reporting } = chain;
  const blocks = new BlockQueries({ dag, equivocations, reporting, blocks: stored }, 50);
  vi.spyOn(blocks, "requireBlockOfDeploy").mockImplementation(() => dag.require(fromHex(hashes[1]!)));
  const transfers = { ofBlock: async () => new Map() };
  const accounts = { finalization: () => ({ state: "Finalized", rejections: 0 }) };
  const answers =
    dialect === "rnode"
      ? new BlockAnswers(blocks)
      : new F1r3nodeBlockAnswers({ blocks, transfers, accounts } as unknown as F1r3nodeBlockReads);
  return { blocks, answers, hashes, deploy, reads: () => reads };
}

test.each(["rnode", "f1r3node"] as const)(
  "%s: a block whose JSON is far longer than its bytes is printed once for all requests, in slices",
  async (dialect) => {
    const { answers, hashes, reads } = answersOf(dialect);
    const ask = async () => {
      const asked =
        answers instanceof BlockAnswers
          ? answers.block(hashes[1]!, request)
          : answers.block(hashes[1]!, "full", request);
      return (await asked).printed;
    };
    let turns = 0;
    let isDone = false;
    const count = () => {
      turns += 1;
      if (!isDone) setImmediate(count);
    };
    setImmediate(count);
    const [first, ...others] = await Promise.all(Array.from({ length: 20 }, ask));
    isDone = true;
    expect(first!.bytes.length).toBeGreaterThan(9_000_000);
    expect(turns).toBeGreaterThanOrEqual(10);
    expect(JSON.parse(String(first!.bytes)).deploys[0].term).toBe(longTerm);
    for (const other of [...others, await ask()]) expect(other).toBe(first);
    expect(reads()).toBe(1);
  },
);

test("a list may have such blocks, too", async () => {
  const { blocks, answers, hashes } = answersOf("f1r3node");
  const { printed } = await (answers as F1r3nodeBlockAnswers).newest(2, "full", request);
  const texts = hashes.toReversed().map((hash) => blocks.fullText(blocks.requireBlock(hash), new Map()));
  expect(String(printed.bytes)).toBe(`[${texts.slice(0, 2).join(",")}]`);
});

test("a deploy with a long program is printed once for all requests, also where its block is not large", async () => {
  const { answers, deploy, blocks } = answersOf("f1r3node", termOf(200_000));
  expect(blocks.hasLargeText(blocks.requireBlockOfDeploy(deploy.signature))).toBe(false);
  const ask = () => (answers as F1r3nodeBlockAnswers).deploy(deploy.signature, "full", request);
  const [first, ...others] = await Promise.all(Array.from({ length: 20 }, ask));
  expect(JSON.parse(String(first!.bytes)).term).toBe(deploy.term);
  for (const other of others) expect(other).toBe(first);
});
