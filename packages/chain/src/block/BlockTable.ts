import {
  type ApprovedBlock,
  type Block,
  decodeApprovedBlock,
  decodeStoredBlock,
  encodeApprovedBlock,
  encodeBlock,
  hashKey,
} from "@vedette/protocol";
import type { ReadableTable, Store, WritableTables } from "@vedette/store";

const keptBlocks = 4;
const mostKeptBytes = 1 << 20;
/** A large one is kept for so long: it comes in, is judged and written within that time, and hashed and checked once. */
const largeKeptMs = 15_000;
const approvedBlockKey = Uint8Array.of(0x2a);

interface KeptBlock {
  readonly bytes: Uint8Array;
  readonly block: Block;
}

/** The blocks that were received and are well-formed, and the approved block. @spec 40 §6.1 */
export class BlockTable {
  private readonly store: Store;
  private readonly blocks: ReadableTable;
  /** Blocks that were read last: one that comes in is read again when it is judged, and when it becomes final. */
  private readonly recent = new Map<string, KeptBlock>();
  private large: (KeptBlock & { readonly key: string }) | undefined;
  private largeTimer: NodeJS.Timeout | undefined;

  /** @param store has the tables of the chain environment */
  constructor(store: Store) {
    this.store = store;
    this.blocks = store.table("blocks");
  }

  has(hash: Uint8Array): boolean {
    return hash.length === 32 && this.blocks.has(hash);
  }

  /** @throws {WireError} when what is stored is damaged */
  find(hash: Uint8Array): Block | undefined {
    const bytes = this.findBytes(hash);
    if (bytes === undefined) return undefined;
    const known = this.knownBlock(hash, bytes);
    if (known !== undefined) return known;
    const block = decodeStoredBlock(bytes);
    this.keep(hashKey(hash), { bytes, block });
    return block;
  }

  /** As {@link find}, but for who reads any blocks: those that are taken in stay at hand. */
  read(hash: Uint8Array): Block | undefined {
    const bytes = this.findBytes(hash);
    return bytes === undefined ? undefined : (this.knownBlock(hash, bytes) ?? decodeStoredBlock(bytes));
  }

  /** Whether this very block, as it was read last, is what is stored under its hash; of a large one, its bytes. */
  isStored(block: Block): boolean {
    const bytes = this.findBytes(block.hash);
    if (bytes === undefined) return false;
    // PERF: to write a large one again would take four times as long as to look at it.
    if (bytes.length > mostKeptBytes) return Buffer.compare(bytes, encodeBlock(block)) === 0;
    return this.knownBlock(block.hash, bytes) === block;
  }

  private knownBlock(hash: Uint8Array, bytes: Uint8Array): Block | undefined {
    const key = hashKey(hash);
    const known = this.large?.key === key ? this.large : this.recent.get(key);
    // What is stored under a hash can become another copy of the block; long runs are compared natively.
    return known !== undefined && Buffer.compare(known.bytes, bytes) === 0 ? known.block : undefined;
  }

  private keep(key: string, read: KeptBlock): void {
    if (read.bytes.length > mostKeptBytes) {
      this.large = { key, ...read };
      clearTimeout(this.largeTimer);
      this.largeTimer = setTimeout(() => (this.large = undefined), largeKeptMs).unref();
      return;
    }
    this.recent.delete(key);
    this.recent.set(key, read);
    const [oldest] = this.recent.keys();
    if (this.recent.size > keptBlocks && oldest !== undefined) this.recent.delete(oldest);
  }

  /** The block's protobuf bytes, as they are sent to peers. */
  findBytes(hash: Uint8Array): Uint8Array | undefined {
    return hash.length === 32 ? this.blocks.get(hash) : undefined;
  }

  put(block: Block): void {
    this.store.write((tables) => putBlock(tables, block));
    const bytes = encodeBlock(block);
    if (bytes.length > mostKeptBytes) this.keep(hashKey(block.hash), { bytes, block });
  }

  /** The block that the chain was begun with; kept once the beginning is complete. */
  approvedBlock(): ApprovedBlock | undefined {
    const bytes = this.store.table("approvedBlock").get(approvedBlockKey);
    return bytes === undefined ? undefined : decodeApprovedBlock(bytes);
  }
}

/** Writes the approved block within a larger transaction. */
export function putApproved(tables: WritableTables, approved: ApprovedBlock): void {
  tables("approvedBlock").put(approvedBlockKey, encodeApprovedBlock(approved));
}

/** Writes a block within a larger transaction. */
export function putBlock(tables: WritableTables, block: Block): void {
  tables("blocks").put(block.hash, encodeBlock(block));
}
