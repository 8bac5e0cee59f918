import type { Range, ReadableTable, Store, TableName, WritableTables } from "@vedette/store";
import { stateTables } from "@vedette/tuplespace";
import { askOrigin, type OriginLink } from "./originLink.js";

/** A state store of which what is absent is asked for elsewhere: nodes and leaves, which are known by their hashes. */
export class OriginStore implements Store {
  readonly #own: Store;
  readonly #link: OriginLink;

  constructor(own: Store, link: OriginLink) {
    this.#own = own;
    this.#link = link;
  }

  table(name: TableName): ReadableTable {
    const own = this.#own.table(name);
    return name === stateTables.nodes || name === stateTables.leaves ? new OriginTable(own, this.#link) : own;
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

  close(): Promise<void> {
    return this.#own.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

class OriginTable implements ReadableTable {
  constructor(
    private readonly own: ReadableTable,
    private readonly link: OriginLink,
  ) {}

  get(key: Uint8Array): Uint8Array | undefined {
    return this.own.get(key) ?? askOrigin(this.link, key);
  }

  has(key: Uint8Array): boolean {
    return this.own.has(key) || askOrigin(this.link, key) !== undefined;
  }

  range(range?: Range): Iterable<readonly [key: Uint8Array, value: Uint8Array]> {
    return this.own.range(range);
  }

  count(): number {
    return this.own.count();
  }
}
