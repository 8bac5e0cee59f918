import { BlockMetadata, BondSet } from "@vedette/chain/finality";
import { emptyBytes, equalBytes } from "@vedette/crypto";
import { errorText } from "@vedette/errors";
import { type Block, checkBlockSignature, decodeBlock, hashBlock, hashKey } from "@vedette/protocol";
import { hasCoveredJustifications } from "./coveredJustifications.js";
import { type DoubledBlock, Evidence } from "./Evidence.js";
import { LightError } from "./LightError.js";
import type { LightRules } from "./LightRules.js";
import { type LightUpdate, maxUpdateBlocks, maxUpdateBytes } from "./LightUpdate.js";
import { requireKnownVersion } from "./requireKnownVersion.js";
import { type TrustedBlock, trustedBlockOf } from "./TrustedBlock.js";

/** How long a trusted block may be trusted. @spec 70 §6 */
export interface TrustAge {
  /** Unix milliseconds. */
  readonly now: bigint;
  readonly maxAgeMs: bigint;
}

/** The result of an update. */
export interface VerifiedUpdate {
  /** The target: trusted from now on. */
  readonly trusted: TrustedBlock;
  /** Validators that made two blocks of one sequence number, with these. */
  readonly doubled: readonly DoubledBlock[];
}

/**
 * Checks that a newer block is final for all clients that trust a given block.
 *
 * @param age left out: the trusted block does not expire
 * @throws {LightError}
 * @throws {ChainError} `tooComplex`: the votes are entangled more than any network's
 * @spec 70 §4, §5
 * @cost a hash over each block's bytes, a signature each, and the rule of finality over the blocks
 */
export function verifyUpdate(
  trusted: TrustedBlock,
  update: LightUpdate,
  rules: LightRules,
  age?: TrustAge,
): VerifiedUpdate {
  const ageMs = age === undefined ? 0n : age.now - trusted.timestamp;
  if (age !== undefined && ageMs > age.maxAgeMs)
    throw new LightError({ code: "trustExpired", ageMs, maxAgeMs: age.maxAgeMs });
  checkSizes(update);
  const blocks = new Map<string, Block>();
  for (const [index, bytes] of update.blocks.entries()) {
    const block = decodeUpdateBlock(bytes, index, rules, trusted);
    if (blocks.has(hashKey(block.hash))) throw badBlock(index, "is there twice");
    blocks.set(hashKey(block.hash), block);
  }
  checkNumbers([...blocks.values()], blocks);
  const target = blocks.get(hashKey(update.target));
  if (target === undefined) throw new LightError({ code: "targetMissing", target: update.target });
  if (target.number <= trusted.number)
    throw new LightError({ code: "notNewer", number: target.number, trusted: trusted.number });
  checkChain(target, blocks, trusted);
  const all = [...blocks.values()].map(metadataOf);
  const evidence = new Evidence(all.find(({ hash }) => equalBytes(hash, target.hash))!, all);
  const failing = findFailing(evidence, trusted, rules.needed);
  if (failing !== undefined) throw new LightError({ code: "notFinal", bonds: failing, target: target.hash });
  return { trusted: trustedBlockOf(target), doubled: evidence.doubled };
}

/**
 * By which bonds the evidence does not make its target final: those of the trusted block, or those of the target's main
 * parent, which the network's rule counts. `undefined`: it is final.
 *
 * @throws {LightError} `parentMissing`
 * @spec 70 §4
 */
export function findFailing(
  evidence: Evidence,
  trusted: Pick<TrustedBlock, "hash" | "bonds">,
  needed: (total: bigint) => bigint,
): "trusted" | "stated" | undefined {
  const stated = statedBonds(evidence, trusted);
  if (!evidence.isFinal(trusted.bonds, needed)) return "trusted";
  if (stated !== trusted.bonds && !evidence.isFinal(stated, needed)) return "stated";
  return undefined;
}

function statedBonds({ target, blocks }: Evidence, trusted: Pick<TrustedBlock, "hash" | "bonds">): BondSet {
  const parent = target.mainParent!;
  if (equalBytes(parent, trusted.hash)) return trusted.bonds;
  const block = blocks.get(hashKey(parent));
  if (block === undefined) throw new LightError({ code: "parentMissing", parent });
  return block.bonds;
}

/** Returns the judged facts of a block: its justifications only if its hash covers them. */
export function metadataOf(block: Block): BlockMetadata {
  const { bonds, preStateHash, postStateHash } = block.body.state;
  const { hash, parents, sender, justifications, number, sequenceNumber } = block;
  const facts = { hash, parents, sender, justifications, number, sequenceNumber, preStateHash, postStateHash };
  const statement = hasCoveredJustifications(block) ? block.extraBytes : emptyBytes;
  return new BlockMetadata(
    { ...facts, bonds: new BondSet(bonds), timestamp: block.header.timestamp, statement },
    { invalid: false, finalized: false, directlyFinalized: false },
  );
}

function checkSizes({ target, blocks }: LightUpdate): void {
  if (target.length !== 32) throw new LightError({ code: "form", field: "target", problem: "must have 32 bytes" });
  if (blocks.length > maxUpdateBlocks)
    throw new LightError({ code: "tooLarge", what: "blocks", limit: maxUpdateBlocks });
  const bytes = blocks.reduce((sum, block) => sum + block.length, 0);
  if (bytes > maxUpdateBytes) throw new LightError({ code: "tooLarge", what: "bytes", limit: maxUpdateBytes });
}

/** Nothing in the hashed bytes separates header, body and sender: fixed lengths leave one reading. @spec 70 §2 */
const hashBytes = 32;
const senderBytes = 65;

function decodeUpdateBlock(
  bytes: Uint8Array,
  index: number,
  { dialect }: LightRules,
  { shardId }: TrustedBlock,
): Block {
  let block: Block;
  try {
    block = decodeBlock(bytes, dialect.blockForm);
  } catch (cause) {
    throw badBlock(index, errorText(cause), cause);
  }
  const { preStateHash, postStateHash } = block.body.state;
  if ([...block.parents, preStateHash, postStateHash].some(({ length }) => length !== hashBytes))
    throw badBlock(index, "a parent or a state has no 32 bytes");
  if (block.parents.length === 0) throw badBlock(index, "no parent");
  if (block.sender.length !== senderBytes) throw badBlock(index, "the sender has no 65 bytes");
  if (block.shardId !== shardId)
    throw new LightError({ code: "otherShard", index, claimed: block.shardId, trusted: shardId });
  if (!equalBytes(hashBlock(block, dialect), block.hash)) throw badBlock(index, "its content has another hash");
  if (block.justifications.length > 0 && !hasCoveredJustifications(block))
    throw badBlock(index, "justifications that its hash does not cover");
  const problem = checkBlockSignature(block, dialect);
  if (problem !== undefined)
    throw badBlock(index, problem === "invalidSignature" ? "invalid signature" : "unsupported signature algorithm");
  requireKnownVersion(block);
  return block;
}

function checkNumbers(blocks: readonly Block[], known: ReadonlyMap<string, Block>): void {
  for (const [index, { number, parents }] of blocks.entries())
    if (parents.some((parent) => (known.get(hashKey(parent))?.number ?? -1n) >= number))
      throw badBlock(index, "its number is not above those of its parents");
}

/** Where the target's main chain is there down to the trusted block's number, it must meet that block. */
function checkChain(target: Block, blocks: ReadonlyMap<string, Block>, trusted: TrustedBlock): void {
  let at = target;
  for (;;) {
    const parent = at.parents[0]!;
    if (equalBytes(parent, trusted.hash)) return;
    const below = blocks.get(hashKey(parent));
    if (below === undefined) return;
    at = below;
    if (at.number <= trusted.number)
      throw new LightError({ code: "otherChain", claimed: at.hash, trusted: trusted.hash, number: at.number });
  }
}

function badBlock(index: number, problem: string, cause?: unknown): LightError {
  return new LightError({ code: "block", index, problem }, { cause });
}
