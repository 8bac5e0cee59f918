import type { BlockMetadata } from "@vedette/chain/finality";
import { toHex } from "@vedette/crypto";
import { type Block, type Dialect, decodeBlock, encodeBlock, f1r3node, rnode } from "@vedette/protocol";
import {
  areRecordingsThere,
  chainsThatAreThere,
  ownF1r3nodeChain,
  readChainFile,
  recordedBlocks,
} from "@vedette/testing";
import { expect, test } from "vitest";
import {
  f1r3nodeRules,
  findPath,
  type LightRules,
  makeUpdate,
  packUpdate,
  readIncludedDeploy,
  readTrustedBlock,
  rnodeRules,
  unpackUpdate,
  verifyPath,
  verifyUpdate,
} from "./index.js";
import { ChainSource } from "./testing/index.js";

interface Recording {
  readonly rules: LightRules;
  /** Valid ones, genesis first. */
  readonly blocks: readonly Block[];
  readonly isFinal: ReadonlySet<string>;
  readonly lastFinal: Block;
}

function read<T>(chain: string, file: string): T {
  return JSON.parse(new TextDecoder().decode(readChainFile(chain, file))) as T;
}

function recording(chain: string, dialect: Dialect): Recording {
  const { faultToleranceThreshold: threshold } = read<{ faultToleranceThreshold: number }>(chain, "network.json");
  const valid = recordedBlocks(chain).filter(({ facts }) => !facts.invalid);
  const blocks = valid.map(({ bytes }) => decodeBlock(bytes, dialect.blockForm));
  const { lastFinalizedBlock } = read<{ lastFinalizedBlock: string }>(chain, "dag.json");
  return {
    rules: dialect === rnode ? rnodeRules(threshold) : f1r3nodeRules(BigInt(Math.round(threshold * 1e6))),
    blocks,
    isFinal: new Set(valid.filter(({ facts }) => facts.finalized).map(({ facts }) => facts.hash)),
    lastFinal: blocks.find(({ hash }) => toHex(hash) === lastFinalizedBlock)!,
  };
}

/** Returns a server's view of the chain at this height. */
function viewAt({ blocks, lastFinal }: Recording, top: bigint): ChainSource {
  const all = new ChainSource(blocks, lastFinal);
  return new ChainSource(
    blocks.filter(({ number }) => number <= top),
    all.finalBlockAt(top)!,
  );
}

/** Follows a chain height by height. @returns the numbers of the targets */
async function follow({ rules, blocks, isFinal, lastFinal }: Recording): Promise<bigint[]> {
  const top = blocks.reduce((highest, { number }) => (number > highest ? number : highest), 0n);
  const genesis = blocks[0]!;
  let trusted = readTrustedBlock(encodeBlock(genesis), genesis.hash, rules.dialect);
  const targets: bigint[] = [];
  for (let height = 1n; height <= top; height += 1n) {
    const update = await makeUpdate(viewAt({ rules, blocks, isFinal, lastFinal }, height), trusted, rules);
    if (update === undefined) continue;
    const packed = packUpdate(update, trusted.known);
    trusted = verifyUpdate(trusted, unpackUpdate(packed, trusted.known), rules).trusted;
    expect(isFinal.has(toHex(trusted.hash)), `block ${trusted.number} is final in the recording`).toBe(true);
    targets.push(trusted.number);
  }
  return targets;
}

const chains: readonly (readonly [string, Dialect, updates: number])[] = [
  ...chainsThatAreThere("solo", "merge").map(
    (name) =>
      [
        name,
        rnode,
        new Map([
          ["solo", 48],
          ["merge", 2],
        ]).get(name) ?? 6,
      ] as const,
  ),
  [ownF1r3nodeChain, f1r3node, 54],
  ...(areRecordingsThere
    ? ([
        ["solo-r", f1r3node, 32],
        ["trio-r", f1r3node, 6],
      ] as const)
    : []),
];

test.each(chains)(
  "%s is followed from genesis to its last final block, and in one step",
  async (name, dialect, updates) => {
    const recorded = recording(name, dialect);
    const targets = await follow(recorded);
    expect(targets.length).toBe(updates);
    const { rules, blocks, lastFinal } = recorded;
    expect(targets.at(-1)).toBe(lastFinal.number);
    const trusted = readTrustedBlock(encodeBlock(blocks[0]!), blocks[0]!.hash, dialect);
    const update = (await makeUpdate(new ChainSource(blocks, lastFinal), trusted, rules))!;
    expect(verifyUpdate(trusted, update, rules).trusted.hash).toEqual(lastFinal.hash);
  },
);

test.each(chains)(
  "%s: blocks and deploys below the last final block are shown with their outcomes",
  (name, dialect) => {
    const { blocks, lastFinal } = recording(name, dialect);
    const source = new ChainSource(blocks, lastFinal);
    const toGenesis = { isEnd: ({ number }: BlockMetadata) => number === 0n, lowest: 0n, isMain: true };
    const bytes = findPath(source, source.find(lastFinal.hash)!, toGenesis)!.map(({ hash }) => source.bytesOf(hash)!);
    const path = verifyPath(lastFinal.hash, bytes, { dialect, isMain: true });
    const recorded = recordedBlocks(name).flatMap(({ facts }) => facts.deploys);
    let shown = 0;
    for (const [index, block] of path.entries())
      for (const { deploy } of block.number === 0n ? [] : block.body.deploys) {
        const { effect, processed } = readIncludedDeploy(path.slice(0, index + 1), deploy.signature);
        const facts = recorded.find(({ id }) => id === toHex(deploy.signature))!;
        const hasFailed = facts.failed || (dialect === rnode && facts.systemError !== null);
        expect([processed.cost, effect === "failed"]).toEqual([BigInt(facts.cost), hasFailed]);
        if (block.parents.length === 1 && index === 0) expect(["inState", "failed"]).toContain(effect);
        shown += 1;
      }
    expect(shown).toBeGreaterThan(0);
  },
);

test.each(areRecordingsThere ? ["trio", "equivocation-v1"] : [])(
  "%s, where no block builds on those of two validators, shows nothing by what is signed (70 §4.5)",
  async (name) => {
    expect(await follow(recording(name, rnode))).toEqual([]);
  },
);
