import { blake2b256, compareBytes, emptyBytes, fromHex, toHex } from "@vedette/crypto";
import { type Block, hashKey } from "@vedette/protocol";
import type { Range, ReadableTable, Store, WritableTables } from "@vedette/store";
import type { RecordChange } from "../ChainChange.js";
import { ChainError } from "../ChainError.js";
import type { BlockMetadata } from "./BlockMetadata.js";
import type { BondSet } from "./BondSet.js";
import { BondSets } from "./BondSets.js";
import type { DagView, LatestMessage } from "./DagView.js";
import { bondingFirst, type InitialLatestMessage } from "./firstMessage.js";
import {
  type DagUpdate,
  decodeInvalid,
  type Insertion,
  newlyBonded,
  planInsertion,
  writeInsertion,
} from "./insertBlock.js";
import { MetadataCache } from "./MetadataCache.js";
import { decodeMetadata, writeMetadata } from "./metadataRecord.js";
import { afterPrefix, finalizedKeys, heightKey, keyNumber, numberKey, pairKey } from "./tableKeys.js";

const dagTables = [
  "blockMetadata",
  "bondSets",
  "latestMessages",
  "lastFinalized",
  "childBlocks",
  "blocksByHeight",
  "invalidBlocks",
  "blocksOfDeploy",
  "ownBlocks",
  "offences",
  "revisedBlocks",
  "statelessBlocks",
] as const;

const hashHexLength = 64;
/** Two blocks prove an equivocation; by arrival a few more show what other nodes may have found. */
const maxSides = 8;

interface InvalidEntry {
  readonly hash: Uint8Array;
  readonly sender: Uint8Array;
  readonly reason: string | undefined;
}

/**
 * The blocks that were accepted, or recorded as invalid, and how they hang together.
 *
 * Latest messages and invalid blocks are in memory, and what undecided blocks and the recent past need; the rest is
 * read from the store through a bounded cache.
 * There is one writer, which writes each change in one transaction.
 *
 * @spec 40 §6
 */
export class Dag implements DagView {
  private readonly store: Store;
  private readonly record: RecordChange;
  private readonly metadata: ReadableTable;
  readonly bondSets: BondSets;
  readonly firstMessage: InitialLatestMessage;
  private cache = new MetadataCache();
  private readonly latest = new Map<string, LatestMessage>();
  /** {@link latest} in order, until it changes. */
  private sortedLatest: readonly LatestMessage[] | undefined;
  private readonly invalid = new Map<string, InvalidEntry>();
  /** {@link nextBlockNumber}, once it was asked for: every status does. */
  #nextNumber: bigint | undefined;
  private changed = 0;
  private revised = 0;
  /** What {@link isBonded} looks at, until it changes. */
  private knownBonds: ReadonlySet<BondSet> | undefined;
  private readonly offences = new Map<string, readonly Uint8Array[]>();
  private lastFinalizedHash: Uint8Array | undefined;
  private approvedHash: Uint8Array | undefined;

  /**
   * @param store has the tables of the chain environment
   * @param record is called within every transaction that changes the DAG
   * @param firstMessage of validators that a block bonds; rnode's rule where nothing is said
   */
  constructor(store: Store, record: RecordChange = () => {}, firstMessage: InitialLatestMessage = bondingFirst) {
    this.store = store;
    this.record = record;
    this.firstMessage = firstMessage;
    this.metadata = store.table("blockMetadata");
    this.bondSets = new BondSets(store.table("bondSets"));
    this.load();
  }

  has(hash: Uint8Array): boolean {
    return hash.length === 32 && (this.cache.get(hashKey(hash)) !== undefined || this.metadata.has(hash));
  }

  find(hash: Uint8Array): BlockMetadata | undefined {
    if (hash.length !== 32) return undefined;
    const key = hashKey(hash);
    const known = this.cache.get(key);
    if (known !== undefined) return known;
    const stored = this.metadata.get(hash);
    if (stored === undefined) return undefined;
    const metadata = decodeMetadata(Uint8Array.from(hash), stored, this.bondSets);
    this.cache.set(metadata);
    return metadata;
  }

  require(hash: Uint8Array): BlockMetadata {
    const metadata = this.find(hash);
    if (metadata === undefined) throw new ChainError({ code: "blockMissing", hash });
    return metadata;
  }

  blocksByPrefix(hexPrefix: string, most: number): readonly BlockMetadata[] {
    const found: BlockMetadata[] = [];
    if (hexPrefix.length > hashHexLength) return found;
    const from = fromHex(hexPrefix.slice(0, hexPrefix.length & ~1));
    for (const [hash] of this.metadata.range(from.length === 0 ? {} : prefixRange(from))) {
      if (found.length === most) break;
      if (toHex(hash).startsWith(hexPrefix)) found.push(this.require(hash));
    }
    return found;
  }

  latestMessage(validatorKey: string): Uint8Array | undefined {
    return this.latest.get(validatorKey)?.hash;
  }

  latestMessages(): readonly LatestMessage[] {
    this.sortedLatest ??= [...this.latest.values()].sort((left, right) =>
      compareBytes(left.validator, right.validator),
    );
    return this.sortedLatest;
  }

  /** Whether a validator's latest message is a block of its own, not the one that bonded it. */
  hasSpoken(validatorKey: string): boolean {
    const hash = this.latestMessage(validatorKey);
    return hash !== undefined && this.require(hash).senderKey === validatorKey;
  }

  /** Every block that is a validator's latest message, once; the valid ones first. */
  latestBlocks(): readonly BlockMetadata[] {
    const found = new Map<string, BlockMetadata>();
    for (const { hash } of this.latest.values()) {
      const key = hashKey(hash);
      if (!found.has(key)) found.set(key, this.require(hash));
    }
    return [...found.values()].sort((left, right) => Number(left.invalid) - Number(right.invalid));
  }

  /**
   * Whether a validator has stake, as far as is known: in the last finalized block, or in the latest block of one that
   * has stake there.
   *
   * @spec 40 §4.8
   */
  isBonded(validatorKey: string): boolean {
    this.knownBonds ??= this.findKnownBonds();
    for (const { stakes } of this.knownBonds) if ((stakes.get(validatorKey) ?? 0n) > 0n) return true;
    return false;
  }

  /** Few: all blocks between two changes of the bonds have the same. */
  private findKnownBonds(): ReadonlySet<BondSet> {
    const last = this.lastFinalized();
    const found = new Set<BondSet>();
    if (last === undefined) return found;
    found.add(last.bonds);
    for (const [key, stake] of last.bonds.stakes) {
      const hash = stake > 0n ? this.latest.get(key)?.hash : undefined;
      if (hash !== undefined && !this.isInvalid(hash)) found.add(this.require(hash).bonds);
    }
    return found;
  }

  isInvalid(hash: Uint8Array): boolean {
    return this.invalid.has(hashKey(hash));
  }

  /** Why a block is invalid, where it is and where that is known. */
  invalidReason(hash: Uint8Array): string | undefined {
    return this.invalid.get(hashKey(hash))?.reason;
  }

  /** Blocks whose metadata is in memory. */
  get heldBlocks(): number {
    return this.cache.size;
  }

  /** How often the DAG was changed since it was opened: what could not be judged may be judged after a change. */
  get changes(): number {
    return this.changed;
  }

  /** Blocks that were recorded as invalid, and are valid now. @spec 40 §17.4 */
  get revisedCount(): number {
    return this.revised;
  }

  revisedBlocks(): readonly Uint8Array[] {
    return this.revised === 0 ? [] : [...this.store.table("revisedBlocks").range()].map(([hash]) => hash);
  }

  lacksState(hash: Uint8Array): boolean {
    return this.store.table("statelessBlocks").has(hash);
  }

  get lacksStates(): boolean {
    return this.store.table("statelessBlocks").count() > 0;
  }

  get judgesByEvidence(): boolean {
    return this.approvedBlock()?.evidence !== undefined;
  }

  hasSlashingEvidence(validatorKey: string): boolean {
    return this.offences.has(validatorKey);
  }

  proofAgainst(validatorKey: string): readonly Uint8Array[] {
    return this.offences.get(validatorKey) ?? [];
  }

  unpunishedProofs(): readonly Uint8Array[] {
    const stakes = this.lastFinalized()?.bonds.stakes;
    return [...this.offences].flatMap(([key, blocks]) => ((stakes?.get(key) ?? 0n) > 0n ? blocks : []));
  }

  ownBlocksAfter(validator: Uint8Array, hash: Uint8Array): readonly Uint8Array[] {
    const prefix = pairKey(validator, hash);
    const found = this.store.table("ownBlocks").range({ ...prefixRange(prefix), limit: maxSides });
    return [...found].map(([key]) => key.subarray(prefix.length));
  }

  invalidBlocks(): readonly { readonly hash: Uint8Array; readonly sender: Uint8Array }[] {
    return [...this.invalid.values()];
  }

  lastFinalized(): BlockMetadata | undefined {
    return this.lastFinalizedHash === undefined ? undefined : this.require(this.lastFinalizedHash);
  }

  approvedBlock(): BlockMetadata | undefined {
    return this.approvedHash === undefined ? undefined : this.require(this.approvedHash);
  }

  children(hash: Uint8Array): readonly Uint8Array[] {
    const pairs = this.store.table("childBlocks").range(prefixRange(hash));
    return [...pairs].map(([pair]) => pair.subarray(32));
  }

  nextBlockNumber(): bigint {
    return (this.#nextNumber ??= this.#readNextNumber());
  }

  #readNextNumber(): bigint {
    for (const [key] of this.store.table("blocksByHeight").range({ reverse: true, limit: 1 }))
      return keyNumber(key) + 1n;
    return 0n;
  }

  /** Of a block that is valid. */
  #reached({ number }: BlockMetadata): void {
    if (this.#nextNumber !== undefined && number >= this.#nextNumber) this.#nextNumber = number + 1n;
  }

  *blocksByHeight(
    from: bigint,
    to: bigint,
    limit?: number,
  ): Generator<{ readonly height: bigint; readonly hash: Uint8Array }> {
    for (const [key] of this.store.table("blocksByHeight").range({ from: numberKey(from), limit })) {
      const height = keyNumber(key);
      if (height > to) return;
      yield { height, hash: key.subarray(8) };
    }
  }

  blocksOfDeploy(signature: Uint8Array): readonly Uint8Array[] {
    const found = [...this.store.table("blocksOfDeploy").range(prefixRange(blake2b256(signature)))];
    return found.sort(([, left], [, right]) => compareBytes(left, right)).map(([pair]) => pair.subarray(32));
  }

  /**
   * Puts a block into the DAG, together with what `also` writes.
   *
   * @returns false when it is there already; then nothing is written, not by `also` either
   * @spec 40 §6.2
   */
  insert(block: Block, insertion: Insertion, also?: (tables: WritableTables) => void): boolean {
    if (this.has(block.hash)) return false;
    const plan = planInsertion(this, block, insertion, this);
    const insertionNumber = BigInt(this.metadata.count());
    this.store.write((tables) => {
      writeInsertion(tables, plan, insertionNumber);
      also?.(tables);
      if (plan.approved) this.record(tables, { type: "begun", block: plan.metadata });
      else this.record(tables, { type: "inserted", block: plan.metadata, reason: insertion.reason });
    });
    this.take(plan);
    return true;
  }

  /**
   * Empties the DAG and fills it anew, together with what `also` writes, in one transaction.
   *
   * @param entries in the order in which they are to be inserted
   * @spec 40 §3.9
   */
  replaceAll(
    entries: Iterable<{ readonly block: Block; readonly insertion: Insertion }>,
    also: (tables: WritableTables) => void,
  ): void {
    try {
      this.store.write((tables) => {
        for (const name of dagTables) for (const [key] of [...tables(name).range()]) tables(name).delete(key);
        this.forget();
        let insertionNumber = 0n;
        let first: BlockMetadata | undefined;
        for (const { block, insertion } of entries) {
          if (this.has(block.hash)) continue;
          const plan = planInsertion(this, block, insertion, this);
          writeInsertion(tables, plan, insertionNumber);
          this.take(plan);
          insertionNumber += 1n;
          if (plan.approved) first = plan.metadata;
        }
        also(tables);
        if (first !== undefined) this.record(tables, { type: "begun", block: first });
      });
    } catch (error) {
      this.reload();
      throw error;
    }
  }

  /**
   * Makes a block valid that was recorded as invalid, together with what `also` writes.
   *
   * @param reason why it was invalid
   * @returns how it stands now
   * @throws {ChainError} `blockMissing`
   * @spec 40 §17.4
   */
  revise(hash: Uint8Array, reason: string, also?: (tables: WritableTables) => void): BlockMetadata {
    const block = this.require(hash).with({ invalid: false });
    const bonded = newlyBonded(this, block, this.firstMessage);
    this.store.write((tables) => {
      writeMetadata(tables, block);
      tables("invalidBlocks").delete(block.hash);
      tables("blocksByHeight").put(heightKey(block.number, block.hash), emptyBytes);
      tables("revisedBlocks").put(block.hash, new TextEncoder().encode(reason));
      for (const message of bonded) tables("latestMessages").put(message.validator, message.hash);
      also?.(tables);
      this.record(tables, { type: "revised", block });
    });
    this.cache.set(block);
    this.#reached(block);
    this.invalid.delete(block.key);
    for (const message of bonded) this.latest.set(hashKey(message.validator), message);
    this.sortedLatest = undefined;
    this.knownBonds = undefined;
    this.changed += 1;
    this.revised += 1;
    return block;
  }

  /** Takes what is on disk into memory, after a transaction of several changes was undone. */
  reload(): void {
    this.forget();
    this.load();
  }

  /**
   * Makes a block the last finalized one, and all its ancestors finalized.
   *
   * @param ancestors the ancestors that are not finalized yet, without the block itself
   * @spec 40 §6.4
   */
  recordFinalized(block: BlockMetadata, ancestors: readonly BlockMetadata[]): void {
    const changed = [
      block.with({ finalized: true, directlyFinalized: true }),
      ...ancestors.map((ancestor) => ancestor.with({ finalized: true })),
    ];
    const before = this.lastFinalized();
    const isHigher = before === undefined || before.number <= block.number;
    this.store.write((tables) => {
      for (const one of changed) writeMetadata(tables, one);
      if (isHigher) tables("lastFinalized").put(finalizedKeys.lastFinalized, block.hash);
      this.record(tables, { type: "finalized", block, ancestors });
    });
    for (const one of changed) this.cache.set(one);
    if (isHigher) this.finalizedUpTo(block);
    this.knownBonds = undefined;
  }

  private load(): void {
    const { store } = this;
    this.sortedLatest = undefined;
    this.knownBonds = undefined;
    for (const [validator, hash] of store.table("latestMessages").range()) {
      this.latest.set(hashKey(validator), { validator, hash });
    }
    for (const [hash, value] of store.table("invalidBlocks").range())
      this.invalid.set(hashKey(hash), { hash, ...decodeInvalid(value) });
    for (const [validator, proof] of store.table("offences").range()) {
      this.offences.set(hashKey(validator), proof.length > 32 ? [proof.subarray(0, 32), proof.subarray(32)] : [proof]);
    }
    this.revised = store.table("revisedBlocks").count();
    const finalized = store.table("lastFinalized");
    this.lastFinalizedHash = finalized.get(finalizedKeys.lastFinalized);
    this.approvedHash = finalized.get(finalizedKeys.approved);
    const last = this.lastFinalizedHash === undefined ? undefined : this.find(this.lastFinalizedHash);
    if (last !== undefined) this.cache.finalizedUpTo(last.number);
  }

  private finalizedUpTo({ hash, number }: BlockMetadata): void {
    this.lastFinalizedHash = hash;
    this.cache.finalizedUpTo(number);
  }

  private forget(): void {
    this.cache = new MetadataCache();
    this.#nextNumber = undefined;
    this.latest.clear();
    this.sortedLatest = undefined;
    this.knownBonds = undefined;
    this.invalid.clear();
    this.offences.clear();
    this.revised = 0;
    this.lastFinalizedHash = undefined;
    this.approvedHash = undefined;
  }

  private take(plan: DagUpdate): void {
    const { metadata } = plan;
    this.cache.set(metadata);
    const { hash, sender } = metadata;
    if (metadata.invalid) this.invalid.set(metadata.key, { hash, sender, reason: plan.reason });
    else this.#reached(metadata);
    for (const message of plan.latestMessages) this.latest.set(hashKey(message.validator), message);
    if (plan.latestMessages.length > 0) this.sortedLatest = undefined;
    this.knownBonds = undefined;
    if (plan.offence !== undefined) {
      const { validatorKey, first, second } = plan.offence;
      this.offences.set(validatorKey, second === undefined ? [first] : [first, second]);
    }
    this.changed += 1;
    if (plan.isLastFinalized) this.finalizedUpTo(metadata);
    if (plan.approved) this.approvedHash = metadata.hash;
  }
}

function prefixRange(prefix: Uint8Array): Range {
  return { from: prefix, to: afterPrefix(prefix) };
}
