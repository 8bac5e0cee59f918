import { gzipSync } from "node:zlib";
import { toHex } from "@vedette/crypto";
import {
  f1r3nodeRules,
  type LightRules,
  makeUpdate,
  packUpdate,
  rnodeRules,
  trustedBlockOf,
  verifyUpdate,
} from "@vedette/light";
import { ChainSource } from "@vedette/light/testing";
import { type Block, type Dialect, decodeBlock, f1r3node, rnode } from "@vedette/protocol";
import { areRecordingsThere, readChainFile, recordedBlocks } from "@vedette/testing";
import { type Measurements, quantile } from "./Measurements.js";

const ownChains = ["own", "own-r"] as const;
const recordedChains = ["solo", "merge", "trio", "solo-r", "trio-r"] as const;

const shares = [
  ["least", Number.MIN_VALUE],
  ["median", 0.5],
  ["largest", 1],
] as const;

/** Updates of a light client that follows the recorded chains, height by height: their sizes, and what they cost. @spec 70 §8 */
export async function benchLight(measurements: Measurements): Promise<void> {
  for (const chain of ownChains) await benchChain(measurements, chain);
  for (const chain of recordedChains)
    if (areRecordingsThere) await benchChain(measurements, chain);
    else measurements.skip(`updates of ${chain}`, "the recording is not there");
}

async function benchChain(measurements: Measurements, chain: string): Promise<void> {
  const dialect = chain.endsWith("-r") ? f1r3node : rnode;
  const rules = rulesOf(chain, dialect);
  const valid = recordedBlocks(chain).filter(({ facts }) => !facts.invalid);
  const blocks = valid.map(({ bytes }) => decodeBlock(bytes, dialect.blockForm));
  const lastFinal = blocks.filter((_, index) => valid[index]!.facts.finalized).reduce(higher);
  const whole = new ChainSource(blocks, lastFinal);
  const [sizes, compressed, packed]: [number[], number[], number[]] = [[], [], []];
  const [times, counts]: [number[], number[]] = [[], []];
  let trusted = trustedBlockOf(blocks[0]!);
  for (let height = 1n; height <= whole.top; height += 1n) {
    const view = new ChainSource(
      blocks.filter(({ number }) => number <= height),
      whole.finalBlockAt(height)!,
    );
    const update = await makeUpdate(view, trusted, rules);
    if (update === undefined) continue;
    // As a node sends it.
    packed.push(gzipSync(toHex(packUpdate(update, trusted.known))).length);
    const begun = performance.now();
    trusted = verifyUpdate(trusted, update, rules).trusted;
    times.push(performance.now() - begun);
    sizes.push(update.blocks.reduce((sum, bytes) => sum + bytes.length, 0));
    compressed.push(gzipSync(Buffer.concat(update.blocks)).length);
    counts.push(update.blocks.length);
  }
  measurements.add(`updates of ${chain}`, sizes.length, "updates");
  for (const [what, values, unit] of [
    ["blocks", counts, "blocks"],
    ["bytes", sizes, "bytes"],
    ["bytes with gzip", compressed, "bytes"],
    ["bytes packed, with gzip", packed, "bytes"],
    ["verified in", times, "ms"],
  ] as const)
    for (const [name, share] of sizes.length === 0 ? [] : shares)
      measurements.add(`updates of ${chain}, ${what}, ${name}`, quantile(values, share), unit);
}

function rulesOf(chain: string, dialect: Dialect): LightRules {
  const network = JSON.parse(new TextDecoder().decode(readChainFile(chain, "network.json"))) as {
    readonly faultToleranceThreshold: number;
  };
  const { faultToleranceThreshold: threshold } = network;
  return dialect === rnode ? rnodeRules(threshold) : f1r3nodeRules(BigInt(Math.round(threshold * 1e6)));
}

function higher(one: Block, other: Block): Block {
  return other.number > one.number ? other : one;
}
