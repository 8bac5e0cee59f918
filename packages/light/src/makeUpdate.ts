import type { BlockMetadata } from "@vedette/chain/finality";
import { Block, decodeBlock, encodeBlock, hashKey } from "@vedette/protocol";
import { hasCoveredJustifications } from "./coveredJustifications.js";
import { Evidence } from "./Evidence.js";
import type { LightRules } from "./LightRules.js";
import { type LightUpdate, maxUpdateBlocks, maxUpdateBytes } from "./LightUpdate.js";
import type { TrustedBlock } from "./TrustedBlock.js";
import { findFailing } from "./verifyUpdate.js";

/** A chain, as far as updates are made of it. */
export interface UpdateSource {
  find(hash: Uint8Array): BlockMetadata | undefined;
  /** How long a block is, in bytes; `undefined` where its body is not there any more. */
  lengthOf(hash: Uint8Array): number | undefined;
  /** A block's bytes. */
  bytesOf(hash: Uint8Array): Uint8Array | undefined;
  /** Hashes of the valid blocks of a height. */
  atHeight(number: bigint): readonly Uint8Array[];
  /** The final block of the main chain at this number, or at the next lower one that has one. */
  finalAt(number: bigint): BlockMetadata | undefined;
  readonly lastFinal: bigint;
  /** The greatest height that has blocks. */
  readonly top: bigint;
}

/** Heights above a target that are looked through for evidence. */
const maxHeights = 256n;
/** Targets that are tried one below the other: the newest blocks have too few upon them. */
const maxTries = 24;

/** What updates start from. */
export type UpdateStart = Pick<TrustedBlock, "hash" | "number" | "bonds">;

/**
 * Makes the update from a trusted block to the newest final block that blocks show to be final.
 *
 * Where the bonds have changed by too much for one step, the target is an older block; the next update goes on from it.
 *
 * @param yieldNow lets other work have its turn
 * @returns `undefined` where no newer block can be shown to be final
 * @throws {ChainError} `tooComplex`
 * @spec 70 §4
 * @cost the blocks above the targets that are tried; targets go down by halves of the distance
 */
export async function makeUpdate(
  source: UpdateSource,
  trusted: UpdateStart,
  rules: LightRules,
  yieldNow?: () => Promise<void>,
): Promise<LightUpdate | undefined> {
  for (let top = source.lastFinal; top > trusted.number; top = (top + trusted.number) / 2n) {
    let target = source.finalAt(top);
    for (let tries = 0; tries < maxTries && target !== undefined && target.number > trusted.number; tries += 1) {
      const blocks = await showFinal({ source, target, trusted, rules, yieldNow });
      const update = blocks === undefined ? undefined : updateOf(source, target, blocks, rules);
      if (update !== undefined) return update;
      target = source.find(target.mainParent!);
    }
  }
  return undefined;
}

interface Search {
  readonly source: UpdateSource;
  readonly target: BlockMetadata;
  readonly trusted: UpdateStart;
  readonly rules: LightRules;
  readonly yieldNow: (() => Promise<void>) | undefined;
}

/** @returns the blocks of the evidence, as few and small as can be; `undefined` where there are not enough */
async function showFinal(search: Search): Promise<readonly BlockMetadata[] | undefined> {
  const { source, target, trusted, rules, yieldNow } = search;
  const parent = source.find(target.mainParent!);
  const needsParent = hashKey(target.mainParent!) !== hashKey(trusted.hash);
  if (needsParent && parent === undefined) return undefined;
  const blocks = needsParent ? [parent!, target] : [target];
  const shows = (chosen: readonly BlockMetadata[]) =>
    findFailing(new Evidence(target, chosen), trusted, rules.needed) === undefined;
  const supporters = new Set([target.key]);
  const highest = target.number + maxHeights < source.top ? target.number + maxHeights : source.top;
  for (let number = target.number; !shows(blocks); ) {
    if (number >= highest || blocks.length > maxUpdateBlocks) return undefined;
    number += 1n;
    for (const hash of source.atHeight(number)) {
      const block = source.find(hash);
      if (block?.mainParent === undefined || !supporters.has(hashKey(block.mainParent))) continue;
      supporters.add(block.key);
      blocks.push(block);
    }
    await yieldNow?.();
  }
  let chosen: readonly BlockMetadata[] = blocks;
  const lengths = new Map(blocks.map((block) => [block, source.lengthOf(block.hash) ?? Number.POSITIVE_INFINITY]));
  for (const one of [...blocks].sort((left, right) => lengths.get(right)! - lengths.get(left)!)) {
    if (one === target || one === parent) continue;
    const rest = chosen.filter((other) => other !== one);
    if (shows(rest)) chosen = rest;
    await yieldNow?.();
  }
  return chosen;
}

/** @returns `undefined` where a block is not there, or they are too large together */
function updateOf(
  source: UpdateSource,
  target: BlockMetadata,
  blocks: readonly BlockMetadata[],
  { dialect }: LightRules,
): LightUpdate | undefined {
  const lengths = blocks.map(({ hash }) => source.lengthOf(hash) ?? Number.POSITIVE_INFINITY);
  if (lengths.reduce((sum, length) => sum + length, 0) > maxUpdateBytes) return undefined;
  const found = blocks.flatMap(({ hash }) => source.bytesOf(hash) ?? []);
  if (found.length < blocks.length) return undefined;
  return {
    target: target.hash,
    blocks: found.map((bytes) => checkableBytes(decodeBlock(bytes, dialect.blockForm))),
  };
}

/** A block's bytes, without what nobody could check. @spec 70 §2 */
function checkableBytes(block: Block): Uint8Array {
  return encodeBlock(hasCoveredJustifications(block) ? block : new Block({ ...block, justifications: [] }));
}
