import { blake2b256, concatBytes, toHex } from "@vedette/crypto";
import {
  bonds,
  commitEmptyState,
  ExecutionError,
  printReplayFailure,
  replayBlock,
  rnodeExecution,
} from "@vedette/execution";
import {
  Block,
  type BlockFields,
  type Body,
  blockSignerOf,
  type ChainState,
  checkDeploySignatures,
  type Deploy,
  decodeBlock,
  encodeBlock,
  type Header,
  type ProcessedDeploy,
  rnode,
  signBlock,
  signDeploy,
  WireError,
} from "@vedette/protocol";
import { MemoryStore, tablesOf } from "@vedette/store";
import { chainsThatAreThere, recordedBlocks, runs } from "@vedette/testing";
import { StateStore } from "@vedette/tuplespace";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { Chain } from "./Chain.js";
import { unlimitedParents } from "./ChainRules.js";
import type { BlockExecution, ReplayOutcome, ReplayRequest } from "./validation/BlockExecution.js";
import { checkFormat } from "./validation/format.js";
import { checkSignature } from "./validation/signature.js";

const zeros = new Uint8Array(32);
const nowMs = Date.UTC(2030, 0);

/** Really executes blocks with one parent, each once on a state. */
class RealExecution implements BlockExecution {
  readonly emptyStateHash: Uint8Array;
  private readonly states = new StateStore(new MemoryStore(tablesOf("state")));
  private readonly outcomes = new Map<string, ReplayOutcome>();

  constructor() {
    this.emptyStateHash = commitEmptyState(this.states, rnodeExecution);
  }

  async parentsPostState(): Promise<never> {
    throw new ExecutionError({ code: "platform", message: "this test does not merge" });
  }

  async replay({ block, preStateHash }: ReplayRequest): Promise<ReplayOutcome> {
    // Over its bytes, as the node's executor gets it.
    const bytes = encodeBlock(block);
    const key = toHex(blake2b256(concatBytes(preStateHash, bytes)));
    const outcome = this.outcomes.get(key) ?? this.execute(decodeBlock(bytes, rnode.blockForm), preStateHash);
    this.outcomes.set(key, outcome);
    return outcome;
  }

  private execute(received: Block, preStateHash: Uint8Array): ReplayOutcome {
    const result = replayBlock(this.states, { block: received, preState: preStateHash, invalidBlocks: [] });
    if (!("failure" in result)) return { kind: "replayed", postStateHash: result.postState };
    return { kind: "failed", message: printReplayFailure(result.failure) };
  }

  async bonds(stateHash: Uint8Array): Promise<ChainState["bonds"]> {
    return bonds(this.states, stateHash, { form: rnodeExecution });
  }
}

function testKey(name: string) {
  const privateKey = blake2b256(new TextEncoder().encode(`vedette test key ${name}`));
  return { algorithm: "secp256k1", privateKey, ...blockSignerOf(privateKey) } as const;
}

const validators = ["v1", "v2", "v3"].map(testKey);

/** Signs a changed block as its sender would. */
function signed(fields: BlockFields): Block {
  const key = validators.find(({ publicKey }) => toHex(publicKey) === toHex(fields.sender));
  return signBlock(fields, key ?? testKey("stranger"), rnode);
}

const withHeader = (block: Block, header: Partial<Header>): Block =>
  signed({ ...block, header: { ...block.header, ...header } });
const withBody = (block: Block, body: Partial<Body>): Block => signed({ ...block, body: { ...block.body, ...body } });
const withState = (block: Block, state: Partial<ChainState>): Block =>
  withBody(block, { state: { ...block.body.state, ...state } });
const withFirstDeploy = (block: Block, change: Partial<ProcessedDeploy>): Block =>
  withBody(block, { deploys: block.body.deploys.map((one, index) => (index === 0 ? { ...one, ...change } : one)) });

/** The block's first deploy, changed and signed anew by its own text's author. */
function otherDeploy(block: Block, change: Partial<Deploy>): Deploy {
  return signDeploy({ ...block.body.deploys[0]!.deploy, ...change }, testKey("alice"));
}

describe.each(chainsThatAreThere("merge"))("a block of chain %s that is wrong in one thing", (name) => {
  // The first two blocks of this chain have genesis as their parent and do not know each other.
  let recorded: readonly Block[];
  let execution: RealExecution;
  let genesis: Block;
  let good: Block;
  let sibling: Block;

  beforeAll(async () => {
    recorded = recordedBlocks(name).map(({ bytes }) => decodeBlock(bytes, rnode.blockForm));
    [genesis, good, sibling] = recorded as [Block, Block, Block];
    execution = new RealExecution();
    const replayed = await execution.replay({
      block: genesis,
      preStateHash: execution.emptyStateHash,
      invalidBlocks: [],
    });
    expect(replayed.kind).toBe("replayed");
  });

  function openChain(store = new MemoryStore(tablesOf("chain")), maximumParents = unlimitedParents): Chain {
    const chain = new Chain({
      store,
      rules: {
        dialect: rnode,
        shardName: "root",
        maximumParents,
        maximumParentDepth: undefined,
        minimumPhloPrice: 1n,
        faultToleranceThreshold: 0.99,
        finalizationRate: 1,
        emptyStateHash: execution.emptyStateHash,
      },
      execution,
      nowMs: () => nowMs,
    });
    chain.insertApproved(genesis);
    return chain;
  }

  /** Returns the chain's status for a block. The next good block must be valid afterwards, also after a restart. */
  async function statusOf(block: Block): Promise<string> {
    expect(checkFormat(block) ?? checkSignature(block, rnode)).toBeUndefined();
    const store = new MemoryStore(tablesOf("chain"));
    const { status, inserted } = await openChain(store).process(block, false);
    const chain = openChain(store);
    expect(chain.dag.has(block.hash)).toBe(inserted);
    expect(chain.blocks.has(block.hash)).toBe(inserted);
    expect(chain.dag.invalidBlocks().length).toBe(inserted ? 1 : 0);
    expect(await chain.process(sibling, false)).toEqual({ status: { status: "Valid" }, inserted: true });
    // A bad block that left no trace leaves its place to the good form; one that was inserted counts as a message of
    // its sender.
    const { status: then } = await chain.process(good, false);
    const isFirst = !inserted || block.sequenceNumber < good.sequenceNumber;
    expect(then.status).toBe(isFirst ? "Valid" : "IgnorableEquivocation");
    const detail = "problem" in status ? ` (${status.problem})` : "";
    const message = "message" in status ? `: ${status.message}` : "";
    return `${status.status}${detail}${inserted ? "" : ", dropped"}${message}`;
  }

  test("its signature: by the wrong key, of a wrong length, of an unknown algorithm", () => {
    const reasons = [
      { signature: sibling.signature },
      { signature: new Uint8Array(0) },
      { signature: new Uint8Array(1000) },
      { sender: sibling.sender },
      { sender: new Uint8Array(65) },
      { sender: new Uint8Array(0) },
      { signatureAlgorithm: "ed25519" },
      { hash: new Uint8Array(31) },
      { hash: zeros },
    ].map((change) => {
      const block = new Block({ ...good, ...change });
      return checkFormat(block) ?? checkSignature(block, rnode);
    });
    expect(reasons).toEqual([
      "signature is invalid.",
      "block signature is empty.",
      ...Array(4).fill("signature is invalid."),
      "signature algorithm ed25519 is unsupported.",
      "signature is invalid.",
      "signature is invalid.",
    ]);
  });

  test("its hash", async () => {
    expect(await statusOf(new Block({ ...good, sequenceNumber: 2 }))).toBe("InvalidBlockHash, dropped");
    expect(await statusOf(new Block({ ...good, header: { ...good.header, version: 2n } }))).toBe(
      "InvalidBlockHash, dropped",
    );
  });

  test("its time", async () => {
    const early = genesis.header.timestamp - 1n;
    expect(await statusOf(withHeader(good, { timestamp: early }))).toBe("InvalidTimestamp, dropped");
    const late = BigInt(nowMs) + 15_001n;
    expect(await statusOf(withHeader(good, { timestamp: late }))).toBe("InvalidTimestamp, dropped");
    expect(await statusOf(withHeader(good, { timestamp: -(2n ** 63n) }))).toBe("InvalidTimestamp, dropped");
  });

  test("its shard, or that of a deploy", async () => {
    expect(await statusOf(signed({ ...good, shardId: "other" }))).toBe("InvalidShardId");
    expect(await statusOf(withFirstDeploy(good, { deploy: otherDeploy(good, { shardId: "other" }) }))).toBe(
      "InvalidShardId",
    );
  });

  test("its numbers", async () => {
    for (const blockNumber of [0n, 2n, -1n, 2n ** 63n - 1n])
      expect(await statusOf(withState(good, { blockNumber }))).toBe("InvalidBlockNumber");
    for (const sequenceNumber of [0, 2, -1, 2 ** 31 - 1])
      expect(await statusOf(signed({ ...good, sequenceNumber }))).toBe("InvalidSequenceNumber, dropped");
  });

  test("its parents: none, one that is not there, itself, or one more than are allowed", async () => {
    const orphan = withHeader(good, { parents: [] });
    expect(await statusOf(orphan)).toBe("InvalidBlockNumber");
    const first = signed({
      ...orphan,
      body: { ...good.body, state: { ...good.body.state, blockNumber: 0n } },
    });
    expect(await statusOf(first)).toBe("BlockException, dropped: block has no parents");
    const unknown = withHeader(good, { parents: [zeros] });
    expect(openChain().missingDependencies(unknown)).toEqual([zeros]);
    expect(await statusOf(unknown)).toMatch(/^BlockException, dropped: Block 0000000000\.\.\. is not in the DAG$/);
    const cyclic = new Block({ ...good, header: { ...good.header, parents: [good.hash] } });
    expect(openChain().missingDependencies(cyclic)).toEqual([good.hash]);
    expect(await statusOf(cyclic)).toMatch(/^BlockException, dropped: Block .{10}\.\.\. is not in the DAG$/);

    const chain = openChain(undefined, recorded[3]!.parents.length - 1);
    for (const block of [good, sibling]) chain.insertTrusted(block, false);
    expect((await chain.process(recorded[3]!, false)).status).toMatchObject({
      status: "InvalidParents",
      problem: "tooMany",
    });
  });

  test("its deploys: forged, repeated, too early, too late, too cheap", async () => {
    const [{ deploy }] = good.body.deploys as [ProcessedDeploy];
    const forged = withFirstDeploy(good, { deploy: { ...deploy, phloLimit: deploy.phloLimit + 1n } });
    expect(() => checkDeploySignatures(forged, rnode)).toThrow(WireError);
    const repeated = genesis.body.deploys[0]!.deploy;
    expect(await statusOf(withFirstDeploy(good, { deploy: repeated }))).toBe("InvalidRepeatDeploy");
    const valid = (validAfterBlockNumber: bigint) =>
      withFirstDeploy(good, { deploy: otherDeploy(good, { validAfterBlockNumber }) });
    expect(await statusOf(valid(1n))).toBe("ContainsFutureDeploy");
    expect(await statusOf(valid(-49n))).toBe("ContainsExpiredDeploy");
  });

  test("its justifications: too few, too many, of a block that is not there, older than before", async () => {
    const { justifications } = good;
    expect(await statusOf(signed({ ...good, justifications: justifications.slice(1) }))).toBe(
      "InvalidFollows, dropped",
    );
    const stranger = { validator: testKey("stranger").publicKey, latestBlockHash: genesis.hash };
    expect(await statusOf(signed({ ...good, justifications: [...justifications, stranger] }))).toBe(
      "InvalidFollows, dropped",
    );
    const [one, ...others] = justifications;
    const unknown = signed({ ...good, justifications: [{ ...one!, latestBlockHash: zeros }, ...others] });
    expect(openChain().missingDependencies(unknown)).toEqual([zeros]);

    const chain = openChain();
    const last = recorded[9]!;
    for (const block of recorded.slice(1, 9)) chain.insertTrusted(block, false);
    const before = recorded.find(({ hash }) => toHex(hash) === toHex(ownJustification(last)))!;
    expect(before.sequenceNumber).toBe(2);
    const older = last.justifications.map((justification) =>
      toHex(justification.validator) === toHex(last.sender)
        ? justification
        : { ...justification, latestBlockHash: genesis.hash },
    );
    const regressing = signed({ ...last, justifications: older });
    // Quirk 40 §1.3: the hash does not cover the justifications, so any peer could have changed them.
    expect(toHex(regressing.hash)).toBe(toHex(last.hash));
    const { status, inserted } = await chain.process(regressing, false);
    expect([status.status, inserted]).toEqual(["JustificationRegression", false]);
    expect((await chain.process(regressing, true)).inserted).toBe(true);
  });

  test("what its execution leads to", async () => {
    const [{ deploy, cost, log }] = good.body.deploys as [ProcessedDeploy];
    expect(await statusOf(withState(good, { postStateHash: zeros }))).toBe("InvalidTransaction (postState)");
    expect(await statusOf(withState(good, { postStateHash: genesis.body.state.postStateHash }))).toBe(
      "InvalidTransaction (postState)",
    );
    expect(await statusOf(withState(good, { preStateHash: zeros }))).toBe("InvalidTransaction (preState)");
    expect(await statusOf(withBody(good, { rejectedDeploys: [{ signature: zeros }] }))).toBe(
      "InvalidRejectedDeploy, dropped",
    );
    expect(await statusOf(withFirstDeploy(good, { cost: cost + 1n }))).toMatch(
      /^InvalidTransaction \(replay\): Found replay cost mismatch: initial deploy cost = \d+, replay deploy cost = \d+$/,
    );
    expect(await statusOf(withFirstDeploy(good, { failed: true }))).toMatch(
      /^InvalidTransaction \(replay\): Found replay status mismatch/,
    );
    // The first event belongs to the payment, without which the platform cannot go on: no verdict about the block.
    expect(await statusOf(withFirstDeploy(good, { log: log.slice(1) }))).toMatch(
      /^BlockException, dropped: Platform failure: /,
    );
    expect(await statusOf(withFirstDeploy(good, { deploy: { ...deploy, term: "Nil" } }))).toMatch(
      /^InvalidTransaction \(replay\): /,
    );
  });

  test("the bonds that it states", async () => {
    const [one, ...others] = good.body.state.bonds;
    for (const wrong of [[], others, [...others, { ...one!, stake: one!.stake + 1n }]])
      expect(await statusOf(withState(good, { bonds: wrong }))).toBe("InvalidBondsCache");
  });

  test("nothing: it is valid", async () => {
    expect((await openChain().process(good, false)).status).toEqual({ status: "Valid" });
    expect(toHex(signed(good).hash)).toBe(toHex(good.hash));
  });

  test("whatever is changed and signed again, the block is judged and the next one is valid", {}, async () => {
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 70 }),
      fc.constant(zeros),
      fc.constantFrom(...recorded).map(({ hash }) => hash),
    );
    const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
    const near = (value: bigint) => fc.oneof(fc.bigInt({ min: value - 2n, max: value + 2n }), int64);
    const { state } = good.body;
    const change: fc.Arbitrary<Block> = fc.oneof(
      fc.array(bytes, { maxLength: 3 }).map((parents) => withHeader(good, { parents })),
      near(good.header.timestamp).map((timestamp) => withHeader(good, { timestamp })),
      int64.map((version) => withHeader(good, { version })),
      bytes.map((extraBytes) => withHeader(good, { extraBytes })),
      bytes.map((preStateHash) => withState(good, { preStateHash })),
      bytes.map((postStateHash) => withState(good, { postStateHash })),
      near(1n).map((blockNumber) => withState(good, { blockNumber })),
      fc
        .array(fc.record({ validator: bytes, stake: int64 }), { maxLength: 4 })
        .map((wrong) => withState(good, { bonds: wrong })),
      fc
        .array(fc.record({ signature: bytes }), { minLength: 1, maxLength: 3 })
        .map((rejectedDeploys) => withBody(good, { rejectedDeploys })),
      fc
        .array(fc.record({ validator: bytes, latestBlockHash: bytes }), { maxLength: 4 })
        .map((justifications) => signed({ ...good, justifications })),
      fc.integer({ min: -3, max: 3 }).map((sequenceNumber) => signed({ ...good, sequenceNumber })),
      fc.string({ maxLength: 5 }).map((shardId) => signed({ ...good, shardId: `${shardId}.` })),
      bytes.map((extraBytes) => signed({ ...good, extraBytes })),
      near(good.body.deploys[0]!.cost).map((cost) => withFirstDeploy(good, { cost })),
      fc.string().map((systemDeployError) => withFirstDeploy(good, { systemDeployError })),
      fc.nat(400).map((drop) => {
        const { log } = good.body.deploys[0]!;
        return withFirstDeploy(good, { log: log.filter((_, index) => index !== drop % log.length) });
      }),
      bytes.map((invalidBlockHash) =>
        withBody(good, {
          systemDeploys: [
            { systemDeploy: { kind: "slash", invalidBlockHash, issuerPublicKey: good.sender }, log: [], error: "" },
            ...good.body.systemDeploys,
          ],
        }),
      ),
      fc.string().map((error) => withBody(good, { systemDeploys: [{ ...good.body.systemDeploys[0]!, error }] })),
    );
    expect(state.blockNumber).toBe(1n);
    await fc.assert(
      fc.asyncProperty(change, async (block) => {
        if (checkFormat(block) !== undefined) return;
        if (toHex(block.hash) === toHex(good.hash)) return;
        const store = new MemoryStore(tablesOf("chain"));
        const { status, inserted } = await openChain(store).process(block, false);
        expect(inserted).toBe(openChain(store).dag.has(block.hash));
        const chain = openChain(store);
        const { status: next } = await chain.process(sibling, false);
        expect([status.status, next.status]).toEqual([expect.any(String), "Valid"]);
      }),
      { numRuns: runs(15, 60) },
    );
  });
});

function ownJustification(block: Block): Uint8Array {
  return block.justifications.find(({ validator }) => toHex(validator) === toHex(block.sender))!.latestBlockHash;
}
