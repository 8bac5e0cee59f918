import { readFileSync } from "node:fs";
import { join } from "node:path";
import { equalBytes, fromHex, toHex } from "@vedette/crypto";
import { Block, type Bond, decodeBlock, hashKey, rejectedIdsOf, rnode } from "@vedette/protocol";
import { MemoryStore, tablesOf } from "@vedette/store";
import { areRecordingsThere, chainDirectory, chainsThatAreThere, recordedBlocks } from "@vedette/testing";
import { describe, expect, test } from "vitest";
import { Chain } from "./Chain.js";
import type { ChainEvent } from "./ChainEvent.js";
import type { ChainRules } from "./ChainRules.js";
import { initialFault } from "./finality/initialFault.js";
import type { BlockExecution } from "./validation/BlockExecution.js";
import { checkFormat } from "./validation/format.js";
import { invalidBlockViews } from "./validation/invalidBlockViews.js";
import { checkSignature } from "./validation/signature.js";

interface Network {
  readonly shard: string;
  readonly maxNumberOfParents: number;
  readonly faultToleranceThreshold: number;
}

interface RecordedDag {
  readonly lastFinalizedBlock: string;
  readonly lastFinalizedNumber: number;
  readonly invalidBlocks: readonly string[];
  readonly latestMessages: readonly { readonly validator: string; readonly block: string }[];
}

const file = <T>(chain: string, name: string): T =>
  JSON.parse(readFileSync(join(chainDirectory(chain), name), "utf8")) as T;

/** Reports for every block that its execution led to the state that the block contains. */
class TrustedExecution implements BlockExecution {
  private readonly bondsAt = new Map<string, Block["body"]["state"]["bonds"]>();
  async parentsPostState(block: Block): Promise<{ stateHash: Uint8Array; rejectedDeploys: readonly Uint8Array[] }> {
    return { stateHash: block.body.state.preStateHash, rejectedDeploys: rejectedIdsOf(block.body) };
  }
  async replay({ block }: { readonly block: Block }): Promise<{ kind: "replayed"; postStateHash: Uint8Array }> {
    this.bondsAt.set(toHex(block.body.state.postStateHash), block.body.state.bonds);
    return { kind: "replayed", postStateHash: block.body.state.postStateHash };
  }
  async bonds(stateHash: Uint8Array): Promise<Block["body"]["state"]["bonds"]> {
    return this.bondsAt.get(toHex(stateHash)) ?? [];
  }
}

function chainOf(name: string, blocks: readonly Block[], events: ChainEvent[] = []): Chain {
  const network = file<Network>(name, "network.json");
  const rules: ChainRules = {
    dialect: rnode,
    shardName: network.shard,
    maximumParents: network.maxNumberOfParents,
    maximumParentDepth: undefined,
    minimumPhloPrice: 1n,
    faultToleranceThreshold: network.faultToleranceThreshold,
    finalizationRate: 1,
    emptyStateHash: fromHex("9619d9a34bdaf56d5de8cfb7c2304d63cd9e469a0bfc5600fd2f5b9808e290f1"),
  };
  const chain = new Chain({
    store: new MemoryStore(tablesOf("chain")),
    rules,
    execution: new TrustedExecution(),
    nowMs: () => Date.now() + 10 * 365 * 86_400_000,
    emit: (event) => events.push(event),
  });
  const [genesis] = blocks;
  if (genesis !== undefined) chain.insertApproved(genesis);
  return chain;
}

/**
 * The recorded order lists parents first; a justified block of the same height may come after the block that names it.
 */
function* inOrderOfDependencies(chain: Chain, blocks: readonly Block[]): Generator<Block> {
  let waiting = [...blocks];
  for (;;) {
    const next = waiting.find((block) => chain.missingDependencies(block).length === 0);
    if (next === undefined) return;
    waiting = waiting.filter((block) => block !== next);
    yield next;
  }
}

describe.each(chainsThatAreThere("solo", "trio", "merge"))("chain %s with trusted execution", (name) => {
  test("every block is valid; tips and finality are those that the chain contains", async () => {
    const recorded = recordedBlocks(name);
    const blocks = recorded.map(({ bytes }) => decodeBlock(bytes, rnode.blockForm));
    const events: ChainEvent[] = [];
    const chain = chainOf(name, blocks, events);
    for (const block of inOrderOfDependencies(chain, blocks.slice(1))) {
      expect(checkFormat(block) ?? checkSignature(block, rnode)).toBeUndefined();
      const { status, inserted } = await chain.process(block, false);
      expect({ hash: toHex(block.hash), status: status.status, inserted }).toEqual({
        hash: toHex(block.hash),
        status: "Valid",
        inserted: true,
      });
    }
    const dag = file<RecordedDag>(name, "dag.json");
    const latest = chain.dag.latestMessages().map(({ validator, hash }) => [toHex(validator), toHex(hash)]);
    expect(latest.sort()).toEqual(dag.latestMessages.map(({ validator, block }) => [validator, block]).sort());
    expect(toHex(chain.dag.lastFinalized()?.hash ?? new Uint8Array(0))).toBe(dag.lastFinalizedBlock);
    const finalized = recorded.map(({ facts }) => {
      const metadata = chain.dag.require(fromHex(facts.hash));
      return [facts.hash, metadata.finalized];
    });
    expect(finalized).toEqual(recorded.map(({ facts }) => [facts.hash, facts.finalized]));
    expect(events.filter(({ type }) => type === "blockAdded").length).toBe(blocks.length - 1);
  });
});

if (areRecordingsThere)
  describe("recorded equivocation", () => {
    // There the twins were validated side by side, each before the other was inserted, and both found valid. Ours
    // judges one after the other, as the rules are written: whatever builds on the second one is neglecting it, until
    // two thirds of the stake do.
    test("the second twin is admitted as invalid, and valid when most of the stake builds on it, as it was there", async () => {
      const blocks = recordedBlocks("equivocation-v1").map(({ bytes }) => decodeBlock(bytes, rnode.blockForm));
      const events: ChainEvent[] = [];
      const chain = chainOf("equivocation-v1", blocks, events);
      const statuses: string[] = [];
      for (const block of inOrderOfDependencies(chain, blocks.slice(1))) {
        const { status, inserted } = await chain.process(block, true);
        expect(inserted).toBe(true);
        statuses.push(`${toHex(block.hash).slice(0, 8)} ${status.status}`);
      }
      expect(statuses.slice(7)).toEqual([
        "401c1d67 Valid",
        "b7092ecf Valid",
        "164e26cc AdmissibleEquivocation",
        "42689536 NeglectedInvalidBlock",
        "86dd72d9 NeglectedInvalidBlock",
        "8228ea19 Valid",
        "5d125e35 Valid",
      ]);
      expect(statuses.slice(0, 7).every((status) => status.endsWith(" Valid"))).toBe(true);
      const revised = events.flatMap((event) => (event.type === "blockRevalidated" ? [event] : []));
      expect(revised.map(({ block, verdict }) => `${toHex(block.hash).slice(0, 8)} ${verdict}`)).toEqual([
        "164e26cc AdmissibleEquivocation",
        "42689536 NeglectedInvalidBlock",
        "86dd72d9 NeglectedInvalidBlock",
      ]);
      const dag = file<RecordedDag>("equivocation-v1", "dag.json");
      expect(chain.dag.invalidBlocks().map(({ hash }) => toHex(hash))).toEqual(dag.invalidBlocks);
      expect(toHex(chain.dag.lastFinalized()!.hash)).toBe(dag.lastFinalizedBlock);
      const latest = chain.dag.latestMessages().map(({ validator, hash }) => [toHex(validator), toHex(hash)]);
      expect(latest.sort()).toEqual(dag.latestMessages.map(({ validator, block }) => [validator, block]).sort());
      for (const { hash } of blocks)
        expect(initialFault(chain.equivocations, chain.dag.require(hash))).toBe(Math.fround(1 / 3));
    });

    // With this map, and these senders, the block replays to its recorded events (execution's tests).
    test("a node that finds both twins valid finds the five blocks that the third validator found invalid when it slashed", () => {
      const blocks = recordedBlocks("equivocation-v1").map(({ bytes }) => decodeBlock(bytes, rnode.blockForm));
      const chain = chainOf("equivocation-v1", blocks);
      for (const block of blocks.slice(1)) chain.insertTrusted(block, false);
      const slashing = recordedBlocks("equivocation-v3b")
        .map(({ bytes }) => decodeBlock(bytes, rnode.blockForm))
        .find(({ body }) => body.systemDeploys.length > 1)!;
      const named = (prefix: string) => blocks.find(({ hash }) => toHex(hash).startsWith(prefix))!;
      // Neither recording holds the blocks 5844df36 and 6ba9e685; the blocks below them are assumed, their creators are
      // not.
      for (const [prefix, before] of [
        ["5844df36", "b7092ecf"],
        ["6ba9e685", "86dd72d9"],
      ] as const) {
        const { latestBlockHash } = slashing.justifications.find(({ latestBlockHash: one }) =>
          toHex(one).startsWith(prefix),
        )!;
        const own = named(before);
        const justifications = own.justifications.map((one) =>
          equalBytes(one.validator, own.sender) ? { ...one, latestBlockHash: own.hash } : one,
        );
        chain.insertTrusted(new Block({ ...own, hash: latestBlockHash, justifications }), false);
      }
      const views = [...invalidBlockViews(slashing, chain.dag, 1_000)].map((view) =>
        view.map(({ hash, sender }) => `${toHex(hash).slice(0, 8)} by ${toHex(sender).slice(0, 4)}`).sort(),
      );
      expect(views.length).toBeLessThanOrEqual(6);
      expect(views).toContainEqual([
        "5844df36 by 0464",
        "6ba9e685 by 04c0",
        "8228ea19 by 0408",
        "86dd72d9 by 04c0",
        "b7092ecf by 0464",
      ]);
    });

    test("an equivocator weighs nothing by the bonds of the block that slashed it, a third by its parent's", () => {
      const blocks = recordedBlocks("equivocation-v3b").map(({ bytes }) => decodeBlock(bytes, rnode.blockForm));
      const chain = chainOf("equivocation-v3b", blocks);
      for (const block of blocks.slice(1)) chain.insertTrusted(block, false);
      const slashing = blocks.find(({ body }) => body.systemDeploys.length > 1)!;
      const [{ validator }] = slashing.body.state.bonds as [Bond];
      const record = { validator, validatorKey: hashKey(validator), baseSequenceNumber: 0 };
      const equivocations = { records: () => [record] };
      // It took the stakes of all three, so that there is nothing left to be a share of.
      expect(initialFault(equivocations, chain.dag.require(slashing.hash))).toBeNaN();
      expect(initialFault(equivocations, chain.dag.require(slashing.parents[0]!))).toBe(Math.fround(1 / 3));
    });
  });
