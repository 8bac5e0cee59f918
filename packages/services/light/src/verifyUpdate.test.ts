import { toHex } from "@vedette/crypto";
import { type Block, encodeBlock, f1r3node, rnode } from "@vedette/protocol";
import { describe, expect, test } from "vitest";
import {
  f1r3nodeRules,
  LightError,
  type LightFailure,
  type LightUpdate,
  rnodeRules,
  verifyPath,
  verifyUpdate,
} from "./index.js";
import { makeUpdate } from "./makeUpdate.js";
import { readTrustedBlock, trustedBlockOf } from "./TrustedBlock.js";
import { altered, ChainSource, SignedNetwork, updateOf } from "./testing/index.js";

const stakes = { v1: 100, v2: 100, v3: 100 };
const rules = rnodeRules(0.99);

/** Three validators that take turns on one chain. */
function turns(count: number, network = new SignedNetwork(stakes)): { genesis: Block; blocks: Block[] } {
  const creators = Array.from({ length: count }, (_, at) => `v${(at % 3) + 1}`);
  return { genesis: network.genesis, blocks: network.chain(network.genesis, ...creators) };
}

function failureOf(action: () => unknown): LightFailure | undefined {
  try {
    action();
  } catch (error) {
    if (error instanceof LightError) return error.failure;
    throw error;
  }
  return undefined;
}

const { genesis, blocks } = turns(9);
const trusted = trustedBlockOf(genesis);
/** The fifth block, the one below it, and what is needed above it. */
const update = updateOf(blocks[4]!, blocks.slice(3));

function failure(one: LightUpdate, by = trusted, under = rules): LightFailure | undefined {
  return failureOf(() => verifyUpdate(by, one, under));
}

describe("what an update shows", () => {
  test.each([
    [rnode, rules],
    [f1r3node, f1r3nodeRules(990_000n)],
  ])("a block that all validators build on, each knowing so of the others, is final ($name)", (dialect, by) => {
    const scene = turns(9, new SignedNetwork(stakes, dialect));
    const at = scene.blocks[4]!;
    const shown = verifyUpdate(trustedBlockOf(scene.genesis), updateOf(at, scene.blocks.slice(3)), by);
    expect(shown.trusted).toMatchObject({ number: 5n, shardId: "root", postState: at.body.state.postStateHash });
    expect(shown.doubled).toEqual([]);
    const tooFew = updateOf(at, scene.blocks.slice(3, 8));
    expect(failure(tooFew, trustedBlockOf(scene.genesis), by)).toMatchObject({ code: "notFinal", bonds: "trusted" });
  });

  test("a server makes the smallest update that shows the newest block", async () => {
    const source = new ChainSource([genesis, ...blocks], blocks.at(-1)!);
    const made = (await makeUpdate(source, trusted, rules))!;
    expect(verifyUpdate(trusted, made, rules).trusted.number).toBe(5n);
    // The main parent, the target, and two more votes of each of the others but the last.
    expect(made.blocks.length).toBe(6);
    for (const [index] of made.blocks.entries())
      expect(failure({ ...made, blocks: made.blocks.toSpliced(index, 1) })).toBeDefined();
  });

  test("a threshold defines how many are needed", () => {
    const two = updateOf(blocks[4]!, blocks.slice(3, 8));
    expect(failure(two, trusted, rnodeRules(0.3))).toBeUndefined();
    expect(failure(two, trusted, rnodeRules(0.34))).toMatchObject({ code: "notFinal" });
  });

  test("thresholds that no network has are refused", () => {
    for (const threshold of [-0.1, 1, Number.NaN]) expect(() => rnodeRules(threshold)).toThrow(RangeError);
    for (const tolerance of [-1n, 1_000_001n]) expect(() => f1r3nodeRules(tolerance)).toThrow(RangeError);
  });
});

describe("votes", () => {
  /** v2 votes for the target, leaves it, and comes back; v1 knows of the first vote alone. */
  function scene(covered: boolean) {
    const network = new SignedNetwork(stakes);
    const first = network.make({ creator: "v1", parents: [network.genesis] });
    const target = network.make({ creator: "v1", parents: [first] });
    const vote = network.make({ creator: "v2", parents: [target] });
    const knows = network.make({ creator: "v1", parents: [vote] });
    const left = network.make({ creator: "v2", parents: [first] });
    const back = network.make({ creator: "v2", parents: [knows], ...(covered ? { justified: [left] } : {}) });
    return { trusted: trustedBlockOf(network.genesis), first, target, vote, knows, left, back };
  }

  test("of a validator that left the target in between do not count, whether the server withholds it or not", () => {
    const { trusted: by, first, target, vote, knows, left, back } = scene(false);
    const twoOfThree = rnodeRules(0.3);
    expect(failure(updateOf(target, [first, vote, knows, back]), by, twoOfThree)?.code).toBe("notFinal");
    expect(failure(updateOf(target, [first, vote, knows, left, back]), by, twoOfThree)?.code).toBe("notFinal");
    // Before it left, the two had agreed; that they did shows on what there was then.
    expect(failure(updateOf(target, [first, vote, knows]), by, twoOfThree)).toBeUndefined();
  });

  test("of a validator that made two blocks of one number do not count, and are reported", () => {
    const network = new SignedNetwork({ ...stakes, v4: 100, v5: 100 });
    const chain = network.chain(network.genesis, "v1", "v2", "v3", "v4", "v1", "v2", "v3", "v4");
    const [first, target] = chain as [Block, Block];
    const by = trustedBlockOf(network.genesis);
    const second = network.make({ creator: "v5", parents: [chain[5]!] });
    const other = network.make({ creator: "v5", parents: [target], sequenceNumber: second.sequenceNumber });
    const shown = verifyUpdate(by, updateOf(target, [first, ...chain, second, other]), rnodeRules(0.5));
    expect(shown.doubled.map(({ validator }) => toHex(validator))).toEqual([toHex(second.sender)]);
    const twice = network.make({ creator: "v4", parents: [target], sequenceNumber: chain[7]!.sequenceNumber });
    expect(failure(updateOf(target, [first, ...chain, twice]), by, rnodeRules(0.5))?.code).toBe("notFinal");
  });

  test("count by what is signed: by parents, and by justifications only where the hash covers them", () => {
    const network = new SignedNetwork(stakes);
    // Blocks have one parent, and none builds on those of v2 and v3.
    const first = network.make({ creator: "v1", parents: [network.genesis] });
    const rounds = (covered: boolean) => {
      const all = [first];
      let tip = network.make({ creator: "v1", parents: [first] });
      for (let round = 0; round < 3; round += 1) {
        const latest = all.slice(-3);
        const justified = covered ? { justified: latest } : {};
        const sides = ["v2", "v3"].map((creator) => network.make({ creator, parents: [tip], ...justified }));
        all.push(tip, ...sides);
        tip = network.make({ creator: "v1", parents: [tip], ...(covered ? { justified: [tip, ...sides] } : {}) });
      }
      return all;
    };
    const by = trustedBlockOf(network.genesis);
    const [, target] = rounds(false) as [Block, Block];
    expect(failure(updateOf(target, rounds(false)), by)?.code).toBe("notFinal");
    const covered = rounds(true);
    expect(failure(updateOf(covered[1]!, covered), by)).toBeUndefined();
    // Justifications that a server puts in are refused, and so are others in the place of covered ones.
    const claim = [{ validator: first.sender, latestBlockHash: first.hash }];
    const lie = altered(blocks[4]!, { justifications: claim });
    expect(failure(updateOf(lie, blocks.slice(5)))).toMatchObject({
      code: "block",
      problem: expect.stringMatching(/does not cover/),
    });
    const other = covered.map((block) => altered(block, { justifications: [...block.justifications, ...claim] }));
    expect(failure(updateOf(other[1]!, other), by)).toMatchObject({
      code: "block",
      problem: expect.stringMatching(/does not cover/),
    });
  });
});

describe("a server that lies", () => {
  /** In the order of the update. */
  const inOrder = [blocks[4]!, blocks[3]!, ...blocks.slice(5)];
  const stranger = new SignedNetwork(stakes).make({ creator: "stranger", parents: [genesis] });
  const wrong = new Uint8Array(32).fill(200);
  test.each<[string, (block: Block) => Block, RegExp]>([
    ["hash", (block) => altered(block, { hash: wrong }), /another hash/],
    ["parents", (block) => altered(block, { header: { ...block.header, parents: [wrong] } }), /another hash/],
    ["no parents", (block) => altered(block, { header: { ...block.header, parents: [] } }), /no parent/],
    [
      "short parent",
      (block) => altered(block, { header: { ...block.header, parents: [wrong.subarray(1)] } }),
      /32 bytes/,
    ],
    ["time", (block) => altered(block, { header: { ...block.header, timestamp: 5n } }), /another hash/],
    ["version", (block) => altered(block, { header: { ...block.header, version: 2n } }), /another hash/],
    [
      "header's extra bytes",
      (block) => altered(block, { header: { ...block.header, extraBytes: wrong } }),
      /another hash/,
    ],
    ["post-state", (block) => ofState(block, { postStateHash: wrong }), /another hash/],
    ["pre-state", (block) => ofState(block, { preStateHash: wrong }), /another hash/],
    ["short state", (block) => ofState(block, { postStateHash: wrong.subarray(1) }), /32 bytes/],
    ["bonds", (block) => ofState(block, { bonds: block.body.state.bonds.slice(1) }), /another hash/],
    ["number", (block) => ofState(block, { blockNumber: 77n }), /another hash/],
    ["body", (block) => altered(block, { body: { ...block.body, extraBytes: wrong } }), /another hash/],
    ["sender", (block) => altered(block, { sender: stranger.sender }), /another hash/],
    ["short sender", (block) => altered(block, { sender: block.sender.subarray(1) }), /65 bytes/],
    ["sequence number", (block) => altered(block, { sequenceNumber: 44 }), /another hash/],
    ["signature", (block) => altered(block, { signature: stranger.signature }), /invalid signature/],
    ["no signature", (block) => altered(block, { signature: new Uint8Array() }), /invalid signature/],
    ["algorithm", (block) => altered(block, { signatureAlgorithm: "ed25519" }), /another hash/],
    ["extra bytes", (block) => altered(block, { extraBytes: wrong }), /another hash/],
  ])("in a block's %s is found out", (_, change, problem) => {
    for (const [index, block] of inOrder.entries()) {
      const lie = { ...update, blocks: update.blocks.with(index, encodeBlock(change(block))) };
      expect(failure(lie)).toMatchObject({ code: "block", index, problem: expect.stringMatching(problem) });
    }
  });

  test("about the rules: a block of another version is judged by none", () => {
    const network = new SignedNetwork(stakes);
    for (const [version, text] of [
      [4n, "this network uses rules of a newer version (block version 4 at #1); Vedette knows block version 1"],
      [0n, "block version 0 at #1 is not known"],
    ] as const) {
      const block = network.make({ creator: "v1", parents: [network.genesis], version });
      expect(failure(updateOf(block, [block]))).toEqual({ code: "unknownRules", text });
      const bytes = encodeBlock(block);
      const path = () => verifyPath(block.hash, [bytes], { dialect: network.dialect, isMain: true });
      for (const read of [path, () => readTrustedBlock(bytes, block.hash, network.dialect)])
        expect(failureOf(read)).toEqual({ code: "unknownRules", text });
    }
  });

  test("about the shard, or serves a chain of another one", () => {
    const moved = altered(blocks[5]!, { shardId: "other" });
    expect(failure({ ...update, blocks: [encodeBlock(moved)] })).toMatchObject({
      code: "otherShard",
      claimed: "other",
    });
    const network = new SignedNetwork(stakes);
    const all = [network.genesis];
    for (const creator of ["v1", "v2", "v3", "v1", "v2", "v3"])
      all.push(network.make({ creator, parents: [all.at(-1)!], shardId: "other" }));
    expect(failure(updateOf(all[1]!, all.slice(1)))?.code).toBe("otherShard");
  });

  test("by a chain of other validators", () => {
    const strangers = new SignedNetwork({ w1: 100, w2: 100, w3: 100 });
    const chain = strangers.chain(strangers.genesis, "w1", "w2", "w3", "w1", "w2", "w3");
    expect(failure(updateOf(chain[1]!, chain))).toMatchObject({ code: "notFinal", bonds: "trusted" });
  });

  test("by its own bonds: the stakes that a block states count only together with the trusted ones", () => {
    const network = new SignedNetwork(stakes);
    const own = network.make({ creator: "v1", parents: [network.genesis], bonds: { v1: 1_000, v2: 1, v3: 1 } });
    const alone = network.chain(own, "v1", "v1", "v1");
    const by = trustedBlockOf(network.genesis);
    expect(failure(updateOf(alone[0]!, [own, ...alone]), by)).toMatchObject({ code: "notFinal", bonds: "trusted" });
  });

  test("by a fork of the same validators, where it shows that it leaves the trusted block aside", () => {
    const by = trustedBlockOf(blocks[0]!);
    const network = new SignedNetwork(stakes);
    const fork = network.chain(network.genesis, "v3", "v2", "v1", "v3", "v2", "v1", "v3");
    expect(failure(updateOf(fork[1]!, fork), by)).toMatchObject({ code: "otherChain", claimed: fork[0]!.hash });
  });

  test("by what is old, or lacks what it is about", () => {
    expect(failure(update, trustedBlockOf(blocks[4]!))).toEqual({ code: "notNewer", number: 5n, trusted: 5n });
    expect(failure({ ...update, target: wrong })?.code).toBe("targetMissing");
    expect(failure({ ...update, target: wrong.subarray(1) })?.code).toBe("form");
    expect(failure({ ...update, blocks: [] })?.code).toBe("targetMissing");
    expect(failure({ ...update, blocks: [...update.blocks, update.blocks[0]!] })).toMatchObject({
      problem: expect.stringMatching(/twice/),
    });
    expect(failure(updateOf(blocks[4]!, blocks.slice(4)))).toEqual({ code: "parentMissing", parent: blocks[3]!.hash });
    // The trusted block itself needs no evidence.
    expect(failure(updateOf(blocks[4]!, blocks.slice(4)), trustedBlockOf(blocks[3]!))).toBeUndefined();
  });

  test("by numbers that do not grow, or by more than is looked at", () => {
    const network = new SignedNetwork(stakes);
    const [low, high] = network.chain(network.genesis, "v1", "v2") as [Block, Block];
    const same = network.make({ creator: "v3", parents: [high], number: 2n });
    expect(failure(updateOf(low, [high, same]))).toMatchObject({
      code: "block",
      index: 2,
      problem: expect.stringMatching(/its number/),
    });
    const many = Array.from({ length: 1_025 }, () => update.blocks[0]!);
    expect(failure({ ...update, blocks: many })).toEqual({ code: "tooLarge", what: "blocks", limit: 1_024 });
    const large = Array.from({ length: 3 }, () => new Uint8Array(11 << 20));
    expect(failure({ ...update, blocks: large })).toEqual({ code: "tooLarge", what: "bytes", limit: 32 << 20 });
  });
});

describe("what is trusted", () => {
  test("is read from a block with a known hash", () => {
    const read = (hash: Uint8Array, bytes = encodeBlock(genesis)) => readTrustedBlock(bytes, hash, rnode);
    expect(read(genesis.hash)).toEqual(trusted);
    expect(failureOf(() => read(blocks[0]!.hash))?.code).toBe("otherGenesis");
    const richer = ofState(genesis, { bonds: genesis.body.state.bonds.slice(1) });
    expect(failureOf(() => read(genesis.hash, encodeBlock(richer)))?.code).toBe("otherGenesis");
    expect(failureOf(() => read(genesis.hash, new Uint8Array([1, 2])))?.code).toBe("form");
  });

  test("is not trusted for longer than its stated time", () => {
    const at = (now: bigint) => failureOf(() => verifyUpdate(trusted, update, rules, { now, maxAgeMs: 500n }));
    expect(at(trusted.timestamp + 500n)).toBeUndefined();
    expect(at(trusted.timestamp + 501n)).toEqual({ code: "trustExpired", ageMs: 501n, maxAgeMs: 500n });
  });

  test("goes over to other validators step by step", async () => {
    const network = new SignedNetwork(stakes);
    const old = network.chain(network.genesis, "v1", "v2", "v3");
    const bonds = { v4: 100, v5: 100, v6: 100 };
    const change = network.make({ creator: "v1", parents: [old[2]!], bonds });
    const above = network.chain(change, "v2", "v3", "v1", "v2", "v3");
    const next = network.chain(above[4]!, "v4", "v5", "v6", "v4", "v5", "v6", "v4", "v5");
    const all = [network.genesis, ...old, change, ...above, ...next];
    const by = trustedBlockOf(network.genesis);
    const far = updateOf(next[1]!, next);
    expect(failure(far, by)).toMatchObject({ code: "notFinal", bonds: "trusted" });
    expect(failure(updateOf(above[0]!, [change, ...above]), by)).toMatchObject({ bonds: "stated" });
    const source = new ChainSource(all, next[1]!);
    const steps: bigint[] = [];
    for (let at = by; ; ) {
      const made = await makeUpdate(source, at, rules);
      if (made === undefined) break;
      at = verifyUpdate(at, made, rules).trusted;
      steps.push(at.number);
    }
    expect(steps).toEqual([5n, 11n]);
  });
});

function ofState(block: Block, change: Partial<Block["body"]["state"]>): Block {
  return altered(block, { body: { ...block.body, state: { ...block.body.state, ...change } } });
}
