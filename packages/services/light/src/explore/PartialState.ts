import { equalBytes } from "@vedette/crypto";
import { hashKey } from "@vedette/protocol";
import type { ReadableTable, Store } from "@vedette/store";
import {
  emptyRoot,
  HistoryError,
  type Leaf,
  type RadixNode,
  type SpaceDialect,
  StateStore,
  stateTables,
} from "@vedette/tuplespace";

/** States of which some nodes and leaves are there; they note the first one that is read and absent. */
export class PartialState extends StateStore {
  /** The piece that a run lacked; such a run shows nothing. */
  missing: Uint8Array | undefined;
  readonly #read = new Map<string, Uint8Array>();
  readonly #pieces: Pieces;

  constructor(form: SpaceDialect) {
    const pieces = new Pieces();
    super(storeOf(pieces), { form });
    this.#pieces = pieces;
  }

  /** The size of all pieces. */
  get pieceBytes(): number {
    return this.#pieces.bytes;
  }

  /** Hashes of what was read since {@link begin}, the root's first. */
  get read(): readonly Uint8Array[] {
    return [...this.#read.values()];
  }

  /** Before a run. */
  begin(): void {
    this.missing = undefined;
    this.#read.clear();
  }

  override hasRoot(): boolean {
    return true;
  }

  override findNode(hash: Uint8Array): RadixNode | undefined {
    const node = super.findNode(hash);
    if (equalBytes(hash, emptyRoot)) return node;
    this.#note(hash);
    if (node !== undefined) return node;
    this.missing ??= hash.slice();
    throw new HistoryError({ code: "nodeMissing", hash });
  }

  override leaf(hash: Uint8Array): Leaf {
    this.#note(hash);
    if (!this.hasLeaf(hash)) this.missing ??= hash.slice();
    return super.leaf(hash);
  }

  /** @param bytes checked by the caller: a node or a leaf */
  add(hash: Uint8Array, bytes: Uint8Array): void {
    this.#pieces.add(hash, bytes);
  }

  #note(hash: Uint8Array): void {
    const key = hashKey(hash);
    if (!this.#read.has(key)) this.#read.set(key, hash.slice());
  }
}

/** Nodes and leaves by their hashes: a hash is that of one of them only. */
class Pieces implements ReadableTable {
  readonly #byHash = new Map<string, readonly [Uint8Array, Uint8Array]>();
  bytes = 0;

  get(hash: Uint8Array): Uint8Array | undefined {
    return this.#byHash.get(hashKey(hash))?.[1];
  }

  has(hash: Uint8Array): boolean {
    return this.#byHash.has(hashKey(hash));
  }

  range(): Iterable<readonly [Uint8Array, Uint8Array]> {
    return this.#byHash.values();
  }

  count(): number {
    return this.#byHash.size;
  }

  add(hash: Uint8Array, bytes: Uint8Array): void {
    if (this.has(hash)) return;
    this.#byHash.set(hashKey(hash), [hash, bytes]);
    this.bytes += bytes.length;
  }
}

/** Runs in a browser, and is only read by the states upon it. */
function storeOf(pieces: Pieces): Store {
  const empty = new Pieces();
  const end = async () => {};
  return {
    table: (name) => (name === stateTables.nodes || name === stateTables.leaves ? pieces : empty),
    write: () => {
      throw new Error("partial states are not written");
    },
    together: (work) => work(),
    sync: end,
    close: end,
    [Symbol.asyncDispose]: end,
  };
}
