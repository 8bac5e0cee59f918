import { blake2b256, compareBytes, emptyBytes, fromHex, toHex } from "@vedette/crypto";
import { type Block, hashKey } from "@vedette/protocol";
import type { Range, ReadableTable, Store, WritableTables } from "@vedette/store";
import type { RecordChange } from "../ChainChange.js";
import { ChainError } from "../ChainError.js";
import type { BlockMetadata, ChainMoment } from "./BlockMetadata.js";
import type { BondSet } from "./BondSet.js";
import { BondSets } from "./BondSets.js";
import { DagMemory, latestOf } from "./DagMemory.js";
import type { DagView, LatestMessage } from "./DagView.js";
import { bondingFirst, type InitialLatestMessage } from "./firstMessage.js";
import { type DagUpdate, type Insertion, newlyBonded, planInsertion, writeInsertion } from "./insertBlock.js";
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
  #memory: DagMemory | undefined;
  private changed = 0;

  /**
   * @param store has the tables of the chain environment
   * @param record is called within every transaction that changes the DAG
   * @param firstMessage of validators that a block bonds; default: rnode's rule
   */
  constructor(store: Store, record: RecordChange = () => {}, firstMessage: InitialLatestMessage = bondingFirst) {
    this.store = store;
    this.record = record;
    this.firstMessage = firstMessage;
    this.metadata = store.table("blockMetadata");
    this.bondSets = new BondSets(store.table("bondSets"));
    this.#memory = this.readMemory();
  }

  has(hash: Uint8Array): boolean {
    return hash.length === 32 && (this.cache.get(hashKey(hash)) !== undefined || this.metadata.has(hash));
  }

  find(hash: Uint8Array, key?: string): BlockMetadata | undefined {
    if (hash.length !== 32) return undefined;
    const known = this.cache.get(key ?? hashKey(hash));
    if (known !== undefined) return known;
    const stored = this.metadata.get(hash);
    if (stored === undefined) return undefined;
    const metadata = decodeMetadata(Uint8Array.from(hash), stored, this.bondSets);
    this.cache.set(metadata);
    return metadata;
  }

  require(hash: Uint8Array, key?: string): BlockMetadata {
    const metadata = this.find(hash, key);
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
    return this.memory.latest.get(validatorKey)?.hash;
  }

  latestMessages(): readonly LatestMessage[] {
    this.memory.sortedLatest ??= [...this.memory.latest.values()].sort((left, right) =>
      compareBytes(left.validator, right.validator),
    );
    return this.memory.sortedLatest;
  }

  /** Whether a validator's latest message is a block of its own, not the one that bonded it. */
  hasSpoken(validatorKey: string): boolean {
    const hash = this.latestMessage(validatorKey);
    return hash !== undefined && this.require(hash).senderKey === validatorKey;
  }

  /** Every block that is a validator's latest message, once; the valid ones first. */
  latestBlocks(): readonly BlockMetadata[] {
    const found = new Map<string, BlockMetadata>();
    for (const { hash } of this.memory.latest.values()) {
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
    this.memory.knownBonds ??= this.findKnownBonds();
    for (const { stakes } of this.memory.knownBonds) if ((stakes.get(validatorKey) ?? 0n) > 0n) return true;
    return false;
  }

  /** Few: all blocks between two changes of the bonds have the same. */
  private findKnownBonds(): ReadonlySet<BondSet> {
    const last = this.lastFinalized();
    const found = new Set<BondSet>();
    if (last === undefined) return found;
    found.add(last.bonds);
    for (const [key, stake] of last.bonds.stakes) {
      const hash = stake > 0n ? this.memory.latest.get(key)?.hash : undefined;
      if (hash !== undefined && !this.isInvalid(hash)) found.add(this.require(hash).bonds);
    }
    return found;
  }

  isInvalid(hash: Uint8Array): boolean {
    return this.memory.invalid.has(hashKey(hash));
  }

  invalidReason(hash: Uint8Array): string | undefined {
    return this.memory.invalid.get(hashKey(hash))?.reason;
  }

  /** The number of blocks that have metadata in memory. */
  get heldBlocks(): number {
    return this.cache.size;
  }

  /** How often the DAG was changed since it was opened: what could not be judged may be judged after a change. */
  get changes(): number {
    return this.changed;
  }

  /** Blocks that were recorded as invalid, and are valid now. @spec 40 §17.4 */
  get revisedCount(): number {
    return this.memory.revised;
  }

  revisedBlocks(): readonly Uint8Array[] {
    return this.memory.revised === 0 ? [] : [...this.store.table("revisedBlocks").range()].map(([hash]) => hash);
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
    return this.memory.offences.has(validatorKey);
  }

  proofAgainst(validatorKey: string): readonly Uint8Array[] {
    return this.memory.offences.get(validatorKey) ?? [];
  }

  unpunishedProofs(): readonly Uint8Array[] {
    const stakes = this.lastFinalized()?.bonds.stakes;
    return [...this.memory.offences].flatMap(([key, blocks]) => ((stakes?.get(key) ?? 0n) > 0n ? blocks : []));
  }

  ownBlocksAfter(validator: Uint8Array, hash: Uint8Array): readonly Uint8Array[] {
    const prefix = pairKey(validator, hash);
    const found = this.store.table("ownBlocks").range({ ...prefixRange(prefix), limit: maxSides });
    return [...found].map(([key]) => key.subarray(prefix.length));
  }

  invalidBlocks(): readonly { readonly hash: Uint8Array; readonly sender: Uint8Array }[] {
    return [...this.memory.invalid.values()];
  }

  lastFinalized(): BlockMetadata | undefined {
    return this.memory.lastFinalizedHash === undefined ? undefined : this.require(this.memory.lastFinalizedHash);
  }

  approvedBlock(): BlockMetadata | undefined {
    return this.memory.approvedHash === undefined ? undefined : this.require(this.memory.approvedHash);
  }

  children(hash: Uint8Array): readonly Uint8Array[] {
    const pairs = this.store.table("childBlocks").range(prefixRange(hash));
    return [...pairs].map(([pair]) => pair.subarray(32));
  }

  nextBlockNumber(): bigint {
    return this.#newest().height + 1n;
  }

  /** The highest valid block, of several the latest. */
  #newest(): ChainMoment {
    return (this.memory.newest ??= this.#readNewest());
  }

  #readNewest(): ChainMoment {
    let newest: ChainMoment = { height: -1n, timestamp: 0n };
    for (const [key] of this.store.table("blocksByHeight").range({ reverse: true })) {
      if (keyNumber(key) < newest.height) break;
      newest = latestOf(newest, this.require(key.subarray(8)));
    }
    return newest;
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
        this.cache = new MetadataCache();
        this.#memory = new DagMemory();
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
   * Makes a block valid that was recorded as invalid, and writes `also` in the same transaction.
   *
   * @param reason why it was invalid
   * @returns its present metadata
   * @throws {ChainError} `blockMissing`
   * @spec 40 §17.4
   */
  revise(hash: Uint8Array, reason: string, also?: (tables: WritableTables) => void): BlockMetadata {
    const { memory } = this;
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
    memory.revise(block, bonded);
    this.changed += 1;
    return block;
  }

  /** Takes what is on disk into memory, after a transaction of several changes was undone. */
  reload(): void {
    this.cache = new MetadataCache();
    this.#memory = undefined;
  }

  /**
   * Makes a block the last finalized one, and all its ancestors finalized.
   *
   * @param ancestors the ancestors that are not finalized yet, without the block itself
   * @spec 40 §6.4
   */
  recordFinalized(block: BlockMetadata, ancestors: readonly BlockMetadata[]): void {
    const finalizedAt = this.#newest();
    const changed = [
      block.with({ finalized: true, directlyFinalized: true, finalizedAt }),
      ...ancestors.map((ancestor) => ancestor.with({ finalized: true, finalizedAt })),
    ];
    const before = this.lastFinalized();
    const isHigher = before === undefined || before.number <= block.number;
    this.store.write((tables) => {
      for (const one of changed) writeMetadata(tables, one);
      if (isHigher) tables("lastFinalized").put(finalizedKeys.lastFinalized, block.hash);
      this.record(tables, { type: "finalized", block, ancestors });
    });
    for (const one of changed) this.cache.set(one);
    if (isHigher) {
      this.memory.lastFinalizedHash = block.hash;
      this.cache.finalizedUpTo(block.number);
    }
    this.memory.knownBonds = undefined;
  }

  /**
   * Read when it is first needed after {@link reload}: where that fails the caller gets the failure, and the next one
   * reads again. So a damaged entry never leaves a part of it in memory.
   */
  private get memory(): DagMemory {
    return (this.#memory ??= this.readMemory());
  }

  private readMemory(): DagMemory {
    const memory = DagMemory.read(this.store);
    const { lastFinalizedHash } = memory;
    const last = lastFinalizedHash === undefined ? undefined : this.find(lastFinalizedHash);
    if (last !== undefined) this.cache.finalizedUpTo(last.number);
    return memory;
  }

  private take(plan: DagUpdate): void {
    const { metadata, isLastFinalized } = plan;
    this.cache.set(metadata);
    this.memory.insert(plan);
    this.changed += 1;
    if (isLastFinalized) this.cache.finalizedUpTo(metadata.number);
  }
}

function prefixRange(prefix: Uint8Array): Range {
  return { from: prefix, to: afterPrefix(prefix) };
}
