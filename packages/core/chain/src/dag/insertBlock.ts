import { blake2b256, emptyBytes } from "@vedette/crypto";
import { type Block, hashKey } from "@vedette/protocol";
import { maximumKeyBytes, type WritableTables } from "@vedette/store";
import { ChainError } from "../ChainError.js";
import { offenceByInsertion } from "../evidence/evidenceOnInsert.js";
import type { SlashingEvidence } from "../evidence/SlashingEvidence.js";
import { type BlockMetadata, metadataOf } from "./BlockMetadata.js";
import type { BondSets } from "./BondSets.js";
import type { DagView, LatestMessage } from "./DagView.js";
import { genesisFirst, type InitialLatestMessage } from "./firstMessage.js";
import { writeMetadata } from "./metadataRecord.js";
import { finalizedKeys, heightKey, numberKey, pairKey } from "./tableKeys.js";

const senderBytes = 65;

/** How a block enters the DAG. @spec 40 §6.2 */
export interface Insertion {
  readonly invalid: boolean;
  /** The chain begins with this block: it is finalized. */
  readonly approved: boolean;
  /** An ancestor of the block that the chain begins with. Default: `false`. */
  readonly finalized?: boolean;
  /** Its stated bonds were not compared with its state, so they bond no validator. Default: `false`. */
  readonly hasUncheckedBonds?: boolean;
  /** Why it is invalid. */
  readonly reason?: string | undefined;
}

/** The changes of an insertion; written in one transaction, then applied to memory. */
export interface DagUpdate {
  readonly metadata: BlockMetadata;
  readonly latestMessages: readonly LatestMessage[];
  readonly approved: boolean;
  readonly isLastFinalized: boolean;
  /** The own block that the creator names; by evidence only of a valid block. */
  readonly standsOn: Uint8Array | undefined;
  /** The offence that the block proves, of a validator without a known offence. @spec 40 §16.5 */
  readonly offence: SlashingEvidence | undefined;
  readonly reason: string | undefined;
  /** Keys of the deploys, for {@link DagView.blocksOfDeploy}. */
  readonly deploys: readonly Uint8Array[];
}

/**
 * Plans the changes of inserting a block.
 *
 * @spec 40 §6.2, §6.3
 * @throws {ChainError} `notInsertable` when hash or sender have an impossible length
 */
export function planInsertion(
  dag: DagView,
  block: Block,
  insertion: Insertion,
  { bondSets, firstMessage }: { readonly bondSets: BondSets; readonly firstMessage: InitialLatestMessage },
): DagUpdate {
  checkLengths(block);
  const { invalid, approved } = insertion;
  const flags = { invalid, finalized: approved || insertion.finalized === true, directlyFinalized: approved };
  const metadata = metadataOf(block, bondSets, flags);
  const lastFinalized = dag.lastFinalized();
  const byEvidence = approved ? metadata.evidence !== undefined : dag.judgesByEvidence;
  return {
    metadata,
    standsOn: byEvidence && invalid ? undefined : metadata.selfJustification,
    offence: byEvidence && !dag.hasSlashingEvidence(metadata.senderKey) ? offenceByInsertion(dag, metadata) : undefined,
    latestMessages: [
      ...ownLatest(dag, metadata),
      ...(firstMessage === genesisFirst ? lateGenesis(dag, metadata) : []),
      ...(insertion.hasUncheckedBonds === true ? [] : bondedLatest(dag, metadata, firstMessage)),
    ],
    approved,
    reason: insertion.reason,
    isLastFinalized: approved && (lastFinalized === undefined || lastFinalized.number <= metadata.number),
    deploys: block.body.deploys.map(({ deploy }) => blake2b256(deploy.signature)),
  };
}

function checkLengths(block: Block): void {
  const { hash, sender } = block;
  if (hash.length !== 32) throw new ChainError({ code: "notInsertable", hash, reason: "has no hash of 32 bytes" });
  if (sender.length !== 0 && sender.length !== senderBytes) {
    throw new ChainError({ code: "notInsertable", hash, reason: "has no sender of 65 bytes" });
  }
}

/** The stored form: the sender, behind it the reason where it is known. */
function encodeInvalid(sender: Uint8Array, reason = ""): Uint8Array {
  return sender.length === senderBytes ? pairKey(sender, new TextEncoder().encode(reason)) : sender;
}

/** Decodes the record that is stored of an invalid block beside its metadata. */
export function decodeInvalid(value: Uint8Array): {
  readonly sender: Uint8Array;
  readonly reason: string | undefined;
} {
  const reason = new TextDecoder().decode(value.subarray(senderBytes));
  return { sender: value.subarray(0, senderBytes), reason: reason === "" ? undefined : reason };
}

/** The latest message that a block becomes: its sender's. @spec 40 §6.3 */
function ownLatest(dag: DagView, block: BlockMetadata): LatestMessage[] {
  return isOfSender(dag, block) ? [{ validator: block.sender, hash: block.hash }] : [];
}

/**
 * Makes a late genesis the latest message of validators without a block. A node that began at a later state did not
 * have genesis when these were bonded.
 *
 * @spec 61 §14.5, §16.5
 */
function lateGenesis(dag: DagView, block: BlockMetadata): LatestMessage[] {
  const { invalid, number, parents, sender } = block;
  if (invalid || number !== 0n || parents.length > 0 || sender.length > 0) return [];
  // A second one is none.
  for (const _ of dag.blocksByHeight(0n, 0n, 1)) return [];
  const hasNone = ({ validator, hash }: LatestMessage) => dag.find(hash)?.senderKey !== hashKey(validator);
  return dag
    .latestMessages()
    .filter(hasNone)
    .map(({ validator }) => ({ validator, hash: block.hash }));
}

/**
 * The latest messages of the validators that it bonds.
 *
 * Ours (40 §6.3): bonds that the block's state does not confirm bond no validator. Otherwise one signature would give
 * thousands of keys a latest message each.
 *
 * @spec 40 §6.3
 */
function bondedLatest(dag: DagView, block: BlockMetadata, firstMessage: InitialLatestMessage): LatestMessage[] {
  const isOther = ({ validator }: LatestMessage) => !isOfSender(dag, block) || hashKey(validator) !== block.senderKey;
  return newlyBonded(dag, block, firstMessage).filter(isOther);
}

function isOfSender(dag: DagView, block: BlockMetadata): boolean {
  return block.sender.length > 0 && isLatest(dag, block);
}

/** Validators that have made no block and that this one bonds, with their first latest message. @spec 40 §6.3 */
export function newlyBonded(dag: DagView, block: BlockMetadata, firstMessage: InitialLatestMessage): LatestMessage[] {
  const hash = firstMessage(dag, block);
  return block.bonds.bonds.flatMap(({ validator }) => {
    // An invalid block may bond any key; no table accepts a key of this length.
    if (validator.length > maximumKeyBytes) return [];
    const key = hashKey(validator);
    const isKnown = block.justificationOf(key) !== undefined || dag.latestMessage(key) !== undefined;
    return isKnown ? [] : [{ validator, hash }];
  });
}

function isLatest(dag: DagView, block: BlockMetadata): boolean {
  const before = dag.latestMessage(block.senderKey);
  // Quirk 40 §6.3: an equal sequence number replaces, so that an admitted equivocation becomes the latest message.
  return before === undefined || block.sequenceNumber >= dag.require(before).sequenceNumber;
}

/** Writes all of an insertion. */
export function writeInsertion(tables: WritableTables, plan: DagUpdate, insertionNumber: bigint): void {
  const { metadata } = plan;
  const nothing = emptyBytes;
  writeMetadata(tables, metadata);
  for (const parent of metadata.parents) {
    if (parent.length === 32) tables("childBlocks").put(pairKey(parent, metadata.hash), nothing);
  }
  if (metadata.invalid) tables("invalidBlocks").put(metadata.hash, encodeInvalid(metadata.sender, plan.reason));
  else tables("blocksByHeight").put(heightKey(metadata.number, metadata.hash), nothing);
  if (plan.standsOn !== undefined && metadata.sender.length > 0) {
    tables("ownBlocks").put(pairKey(pairKey(metadata.sender, plan.standsOn), metadata.hash), nothing);
  }
  if (plan.offence !== undefined) {
    const { validator, first, second } = plan.offence;
    tables("offences").put(validator, pairKey(first, second ?? nothing));
  }
  for (const deploy of plan.deploys) {
    tables("blocksOfDeploy").put(pairKey(deploy, metadata.hash), numberKey(insertionNumber));
  }
  for (const { validator, hash } of plan.latestMessages) {
    if (validator.length > 0) tables("latestMessages").put(validator, hash);
  }
  if (plan.isLastFinalized) tables("lastFinalized").put(finalizedKeys.lastFinalized, metadata.hash);
  if (plan.approved) tables("lastFinalized").put(finalizedKeys.approved, metadata.hash);
}
