import { dropOldest } from "@vedette/errors";
import {
  type ApprovedBlock,
  type Block,
  type BlockCodec,
  decodeApprovedBlock,
  decodeStoredBlock,
  encodeApprovedBlock,
  encodeBlock,
  hashKey,
  WireError,
} from "@vedette/protocol";
import type { ReadableTable, Store, WritableTables } from "@vedette/store";
import { ChainError } from "../ChainError.js";
import { type YieldToEventLoop, yieldToEventLoop } from "../dag/yieldToEventLoop.js";
import {
  BlockChunks,
  type BlockTables,
  bytesOfEntry,
  defaultPartBytes,
  partsOf,
  readEntry,
  writeEntry,
} from "./BlockChunks.js";
import { PackCache, readPacked } from "./packedBlocks.js";

const keptBlocks = 4;
const maxKeptBytes = 1 << 20;
/**
 * A large block is kept this long, so that it is received, judged and written while it is hashed and checked only once.
 */
const largeKeptMs = 15_000;
const approvedBlockKey = Uint8Array.of(0x2a);

interface KeptBlock {
  /** The table's value: the block's bytes, or the number of its parts. */
  readonly entry: Uint8Array;
  readonly block: Block;
}

/** How blocks are stored. */
export interface BlockTableOptions {
  /** Between two parts of a large block; the event loop's turns without. */
  readonly yieldNow?: YieldToEventLoop | undefined;
  /** The encoding of blocks; default: rnode's. */
  readonly form: BlockCodec;
  /** A longer block is stored in parts of this many bytes. */
  readonly partBytes?: number;
}

/** The blocks that were received and are well-formed, and the approved block. @spec 40 §6.1 */
export class BlockTable {
  private readonly store: Store;
  private readonly blocks: ReadableTable;
  private readonly parts: BlockChunks;
  private readonly tables: BlockTables;
  private readonly form: BlockCodec;
  private readonly packs = new PackCache();
  /** Blocks that were read last: one that comes in is read again when it is judged, and when it becomes final. */
  private readonly recent = new Map<string, KeptBlock>();
  private large: (KeptBlock & { readonly key: string }) | undefined;
  private largeTimer: NodeJS.Timeout | undefined;

  /** @param store has the tables of the chain environment */
  constructor(store: Store, { yieldNow = yieldToEventLoop, partBytes = defaultPartBytes, form }: BlockTableOptions) {
    this.store = store;
    this.form = form;
    this.blocks = store.table("blocks");
    this.parts = new BlockChunks(store, yieldNow, partBytes);
    this.tables = (name) => store.table(name);
  }

  has(hash: Uint8Array): boolean {
    return hash.length === 32 && this.blocks.has(hash);
  }

  /** How many bytes a block has; it is not read for that. */
  lengthOf(hash: Uint8Array): number | undefined {
    const entry = this.findEntry(hash);
    if (entry === undefined) return undefined;
    return (readPacked(entry) ?? readEntry(entry))?.lengthBytes ?? entry.length;
  }

  /** @throws {WireError}, {ChainError} when what is stored is damaged */
  find(hash: Uint8Array): Block | undefined {
    const entry = this.findEntry(hash);
    if (entry === undefined) return undefined;
    const known = this.knownBlock(hash, entry);
    if (known !== undefined) return known;
    const block = this.decode(hash, entry);
    this.keep({ entry, block });
    return block;
  }

  /** As {@link find}, for readers of any blocks: it does not displace recently added blocks from the cache. */
  read(hash: Uint8Array): Block | undefined {
    const entry = this.findEntry(hash);
    return entry === undefined ? undefined : (this.knownBlock(hash, entry) ?? this.decode(hash, entry));
  }

  /** Whether this very block is what is stored under its hash, and not another copy of it. */
  isStored(block: Block): boolean {
    const entry = this.findEntry(block.hash);
    if (entry === undefined) return false;
    return this.knownBlock(block.hash, entry) === block || this.holds(block.hash, entry, encodeBlock(block));
  }

  /** The block's protobuf bytes, as they are sent to peers. @throws {ChainError} `blockDamaged` */
  findBytes(hash: Uint8Array): Uint8Array | undefined {
    const entry = this.findEntry(hash);
    return entry === undefined ? undefined : this.bytesOf(hash, entry);
  }

  /** Writes a large block's parts, one after the other, so that to put it costs little; nothing for others. */
  async prepare(block: Block): Promise<void> {
    if (this.parts.isFor(block)) await this.parts.prepare(block);
  }

  put(block: Block): void {
    this.store.write((tables) => this.putIn(tables, block));
    if (encodeBlock(block).length > maxKeptBytes) this.keep({ entry: this.findEntry(block.hash)!, block });
  }

  /** As {@link put}, within a larger transaction. */
  putIn(tables: WritableTables, block: Block): void {
    const blocks = tables("blocks");
    const before = blocks.get(block.hash);
    const old = before === undefined ? undefined : readEntry(before);
    const entry = this.parts.isFor(block) ? this.parts.enter(tables, block, old) : undefined;
    blocks.put(block.hash, entry === undefined ? encodeBlock(block) : writeEntry(entry));
    if (old !== undefined && old.number !== entry?.number) this.parts.remove(tables, old);
  }

  /** Forgets a block that nothing refers to; one that lies in a pack stays there. */
  forget(hash: Uint8Array): void {
    const value = this.findEntry(hash);
    if (value === undefined || readPacked(value) !== undefined) return;
    this.store.write((tables) => {
      tables("blocks").delete(hash);
      const entry = readEntry(value);
      if (entry !== undefined) this.parts.remove(tables, entry);
    });
  }

  /** Throws away the parts that a process has left which ended while it wrote a block. */
  discardLeftovers(): Promise<void> {
    return this.parts.discardLeftovers();
  }

  private findEntry(hash: Uint8Array): Uint8Array | undefined {
    return hash.length === 32 ? this.blocks.get(hash) : undefined;
  }

  private decode(hash: Uint8Array, entry: Uint8Array): Block {
    return decodeStoredBlock(this.bytesOf(hash, entry), this.form);
  }

  private bytesOf(hash: Uint8Array, entry: Uint8Array): Uint8Array {
    return bytesOfEntry(this.tables, hash, entry, this.packs);
  }

  private holds(hash: Uint8Array, value: Uint8Array, bytes: Uint8Array): boolean {
    if (readPacked(value) !== undefined) return Buffer.compare(this.bytesOf(hash, value), bytes) === 0;
    const entry = readEntry(value);
    if (entry === undefined) return Buffer.compare(value, bytes) === 0;
    if (entry.lengthBytes !== bytes.length) return false;
    let at = 0;
    for (const part of partsOf(this.tables, hash, entry)) {
      if (Buffer.compare(part, bytes.subarray(at, at + part.length)) !== 0) return false;
      at += part.length;
    }
    return true;
  }

  private knownBlock(hash: Uint8Array, entry: Uint8Array): Block | undefined {
    const key = hashKey(hash);
    const known = this.large?.key === key ? this.large : this.recent.get(key);
    // Another copy of the block can replace the entry of a hash; long runs are compared natively.
    return known !== undefined && Buffer.compare(known.entry, entry) === 0 ? known.block : undefined;
  }

  private keep(read: KeptBlock): void {
    const key = hashKey(read.block.hash);
    if (encodeBlock(read.block).length > maxKeptBytes) {
      this.large = { key, ...read };
      clearTimeout(this.largeTimer);
      this.largeTimer = setTimeout(() => (this.large = undefined), largeKeptMs).unref();
      return;
    }
    this.recent.delete(key);
    this.recent.set(key, read);
    dropOldest(this.recent, keptBlocks);
  }

  /**
   * The block that the chain was begun with; kept once the beginning is complete.
   *
   * @throws {ChainError} `approvedBlockDamaged`
   */
  approvedBlock(): ApprovedBlock | undefined {
    const bytes = this.store.table("approvedBlock").get(approvedBlockKey);
    try {
      return bytes === undefined ? undefined : decodeApprovedBlock(bytes, this.form);
    } catch (error) {
      if (!(error instanceof WireError)) throw error;
      throw new ChainError({ code: "approvedBlockDamaged" }, { cause: error });
    }
  }
}

/** Writes the approved block within a larger transaction. */
export function putApproved(tables: WritableTables, approved: ApprovedBlock): void {
  tables("approvedBlock").put(approvedBlockKey, encodeApprovedBlock(approved));
}
