import { type BlockMetadata, ChainError } from "@vedette/chain/finality";
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
  /** Length of a block in bytes; `undefined` if its body was pruned. */
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

/** Blocks that a search looks at, each as often as it is judged with others. */
const maxLooks = 200_000;

/** The steps that count for evidence with cliques that are not found within the limit. */
const complexLooks = 10_000;

/** The trusted block that an update starts from. */
export type UpdateStart = Pick<TrustedBlock, "hash" | "number" | "bonds">;

/**
 * Makes the update from a trusted block to the newest block that other blocks prove final.
 *
 * If the bonds have changed too much for one step, the target is an older block; the next update continues from it.
 *
 * @param yieldNow lets other work have its turn
 * @returns `undefined` where no newer block can be shown to be final, or none is found soon
 * @spec 70 §4, §9
 * @cost the blocks above the targets that are tried, 200,000 looks at most; targets go down by halves of the distance
 */
export async function makeUpdate(
  source: UpdateSource,
  trusted: UpdateStart,
  rules: LightRules,
  yieldNow?: () => Promise<void>,
): Promise<LightUpdate | undefined> {
  const room = { looks: maxLooks };
  for (let top = source.lastFinal; top > trusted.number; top = (top + trusted.number) / 2n) {
    let target = source.finalAt(top);
    for (let tries = 0; tries < maxTries && target !== undefined && target.number > trusted.number; tries += 1) {
      const search = { source, target, trusted, rules, room, yieldNow };
      const blocks = await showFinal(search);
      const update = blocks === undefined ? undefined : await updateOf(search, blocks);
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
  /** The remaining part of {@link maxLooks}. */
  readonly room: { looks: number };
  readonly yieldNow: (() => Promise<void>) | undefined;
}

/** @returns the blocks of the evidence, as few and small as can be; `undefined` where there are not enough */
async function showFinal(search: Search): Promise<readonly BlockMetadata[] | undefined> {
  const { source, target, trusted } = search;
  const parent = source.find(target.mainParent!);
  const needsParent = hashKey(target.mainParent!) !== hashKey(trusted.hash);
  if (needsParent && parent === undefined) return undefined;
  const required = needsParent ? [parent!, target] : [target];
  const blocks = await enoughBlocks(search, required);
  return blocks === undefined ? undefined : withoutNeedless(search, blocks, new Set([target, parent]));
}

/** Whether blocks prove the target final; `false` once {@link maxLooks} is used up. */
function shows({ target, trusted, rules, room }: Search, blocks: readonly BlockMetadata[]): boolean {
  room.looks -= blocks.length;
  try {
    return room.looks >= 0 && findFailing(new Evidence(target, blocks), trusted, rules.needed) === undefined;
  } catch (error) {
    if (!(error instanceof ChainError) || error.failure.code !== "tooComplex") throw error;
    // A client could not judge it either. With more blocks it is usually simple.
    room.looks -= complexLooks;
    return false;
  }
}

/** Adds the blocks above the target, height by height, until they show that it is final. */
async function enoughBlocks(
  search: Search,
  required: readonly BlockMetadata[],
): Promise<readonly BlockMetadata[] | undefined> {
  const { source, target, room, yieldNow } = search;
  const blocks = [...required];
  const supporters = new Set([target.key]);
  const highest = target.number + maxHeights < source.top ? target.number + maxHeights : source.top;
  for (let number = target.number; !shows(search, blocks); ) {
    if (number >= highest || blocks.length > maxUpdateBlocks || room.looks < 0) return undefined;
    // One height more at first, then a quarter as many again: needless blocks are left out later.
    const next = number + 1n + (number - target.number) / 4n;
    for (const until = next < highest ? next : highest; number < until; ) {
      number += 1n;
      for (const block of supportersAt(number, source, supporters)) {
        supporters.add(block.key);
        blocks.push(block);
      }
    }
    await yieldNow?.();
  }
  return blocks;
}

/** The blocks of a height with a main parent among the supporters. */
function supportersAt(number: bigint, source: UpdateSource, supporters: ReadonlySet<string>): BlockMetadata[] {
  return source.atHeight(number).flatMap((hash) => {
    const block = source.find(hash);
    return block?.mainParent !== undefined && supporters.has(hashKey(block.mainParent)) ? [block] : [];
  });
}

/** Leaves out what is not needed, large blocks first. */
async function withoutNeedless(
  search: Search,
  blocks: readonly BlockMetadata[],
  kept: ReadonlySet<BlockMetadata | undefined>,
): Promise<readonly BlockMetadata[]> {
  let chosen = blocks;
  const lengths = new Map(
    blocks.map((block) => [block, search.source.lengthOf(block.hash) ?? Number.POSITIVE_INFINITY]),
  );
  for (const one of [...blocks].sort((left, right) => lengths.get(right)! - lengths.get(left)!)) {
    if (kept.has(one)) continue;
    const rest = chosen.filter((other) => other !== one);
    if (shows(search, rest)) chosen = rest;
    await search.yieldNow?.();
  }
  return chosen;
}

/** @returns `undefined` where a block is not there, or they are too large together */
async function updateOf(
  { source, target, rules: { dialect }, yieldNow }: Search,
  blocks: readonly BlockMetadata[],
): Promise<LightUpdate | undefined> {
  const lengths = blocks.map(({ hash }) => source.lengthOf(hash) ?? Number.POSITIVE_INFINITY);
  if (lengths.reduce((sum, length) => sum + length, 0) > maxUpdateBytes) return undefined;
  const checkable: Uint8Array[] = [];
  for (const { hash } of blocks) {
    const bytes = source.bytesOf(hash);
    if (bytes === undefined) return undefined;
    checkable.push(checkableBytes(decodeBlock(bytes, dialect.blockForm)));
    await yieldNow?.();
  }
  return { target: target.hash, blocks: checkable };
}

/** Encodes a block, without justifications that a light client cannot check. @spec 70 §2 */
function checkableBytes(block: Block): Uint8Array {
  return encodeBlock(hasCoveredJustifications(block) ? block : new Block({ ...block, justifications: [] }));
}
