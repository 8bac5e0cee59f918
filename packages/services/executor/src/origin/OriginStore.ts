import {
  LmdbStore,
  type Range,
  type ReadableTable,
  type Store,
  type TableName,
  type WritableTables,
} from "@vedette/store";
import { stateTables } from "@vedette/tuplespace";
import { fetchFromOrigin, type OriginLink } from "./originLink.js";

/**
 * A state store of which what is absent comes from elsewhere: nodes and leaves, which are known by their hashes. What
 * was fetched already lies in a store beside it, in which whole parts of a tree arrive at once.
 */
export class OriginStore implements Store {
  readonly #own: Store;
  readonly #pieces: OriginPieces;

  /** @throws {StoreError} where what was fetched cannot be read */
  constructor(own: Store, link: OriginLink) {
    this.#own = own;
    this.#pieces = new OriginPieces(link);
  }

  table(name: TableName): ReadableTable {
    const own = this.#own.table(name);
    if (name === stateTables.leaves) return new OriginTable(own, this.#pieces);
    if (name !== stateTables.nodes) return own;
    return new OriginTable(own, this.#pieces, this.#own.table(stateTables.changedNodes));
  }

  write(work: (tables: WritableTables) => void): void {
    this.#own.write(work);
  }

  together<Result>(work: () => Result): Result {
    return this.#own.together(work);
  }

  sync(): Promise<void> {
    return this.#own.sync();
  }

  async close(): Promise<void> {
    await this.#pieces.close();
    await this.#own.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

class OriginPieces {
  readonly #link: OriginLink;
  readonly #kept: LmdbStore;

  constructor(link: OriginLink) {
    this.#link = link;
    this.#kept = new LmdbStore(link.keptDirectory, { tables: [keptTable], readOnly: true });
  }

  isKept(hash: Uint8Array): boolean {
    return this.#kept.table(keptTable).has(hash);
  }

  find(hash: Uint8Array): Uint8Array | undefined {
    const kept = this.#kept.table(keptTable).get(hash);
    if (kept !== undefined) return kept;
    const piece = fetchFromOrigin(this.#link, hash);
    // With it came what lies around it.
    this.#kept.refresh();
    return piece;
  }

  close(): Promise<void> {
    return this.#kept.close();
  }
}

const keptTable = stateTables.nodes;

class OriginTable implements ReadableTable {
  constructor(
    private readonly own: ReadableTable,
    private readonly pieces: OriginPieces,
    /** Where what is made here may lie in another form. */
    private readonly elsewhere?: ReadableTable,
  ) {}

  get(key: Uint8Array): Uint8Array | undefined {
    const bytes = this.own.get(key);
    if (bytes !== undefined || this.elsewhere?.has(key) === true) return bytes;
    return this.pieces.find(key);
  }

  /**
   * Whether the piece is stored here. The origin is not queried: it cannot have the new pieces that executions check.
   */
  has(key: Uint8Array): boolean {
    return this.own.has(key) || this.pieces.isKept(key);
  }

  range(range?: Range): Iterable<readonly [key: Uint8Array, value: Uint8Array]> {
    return this.own.range(range);
  }

  count(): number {
    return this.own.count();
  }
}
