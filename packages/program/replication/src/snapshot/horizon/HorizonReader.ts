import { toHex } from "@vedette/crypto";
import { type Block, hashKey } from "@vedette/protocol";
import type { GivenState } from "@vedette/tuplespace";
import type { ChunkEntryKind, Entry } from "../chunk/chunkFormat.js";
import type { HorizonFacts, Manifest } from "../manifest/Manifest.js";
import { SnapshotError } from "../SnapshotError.js";
import { horizonRoots } from "./horizonBlocks.js";
import { decodeNumbers, decodeStateHead, maxStateBytes, type StateHead } from "./horizonFormat.js";

/** Takes what is read of a horizon. `state` and `numbers` return what is wrong, or nothing. */
export interface HorizonSink {
  /** Whether a state is there as a whole. */
  has(root: Uint8Array): boolean;
  state(given: GivenState): string | undefined;
  numbers(block: Block, entry: Uint8Array): string | undefined;
  /** Whether what a block did to number channels is there. */
  hasNumbers(block: Block): boolean;
}

/** A state of which not all has come. */
interface OpenState {
  readonly head: StateHead;
  readonly nodes: Uint8Array[];
  readonly leaves: Uint8Array[];
  bytes: number;
}

const nothing: HorizonFacts = { states: 0, nodes: 0, leaves: 0, numbers: 0 };

/** Whether a chunk that begins with such an entry is of the horizon. */
export function beginsHorizon(kind: ChunkEntryKind | undefined): boolean {
  return kind === "state" || kind === "numbers";
}

/**
 * Reads the earlier states of a snapshot, entry for entry. It checks that a block names each state, that each comes
 * once with as many nodes and leaves as it states, and that the totals do not exceed the manifest's.
 *
 * @spec 61 §16.4
 */
export class HorizonReader {
  readonly #name: string;
  readonly #most: HorizonFacts;
  readonly #blocks: ReadonlyMap<string, Block>;
  readonly #roots: ReadonlyMap<string, Uint8Array>;
  /** The state that the snapshot is of. */
  readonly #first: string;
  readonly #taker: HorizonSink;
  readonly #came = new Set<string>();
  readonly #counts = { ...nothing };
  #open: OpenState | undefined;

  /** @param blocks that may have a part in it @param own the snapshot's */
  constructor({ name, horizon }: Manifest, blocks: readonly Block[], own: Block, taker: HorizonSink) {
    this.#name = name;
    this.#most = horizon ?? nothing;
    this.#blocks = new Map(blocks.map((block) => [hashKey(block.hash), block]));
    this.#roots = horizonRoots(blocks, own);
    this.#first = hashKey(own.body.state.postStateHash);
    this.#taker = taker;
  }

  /** Whether a state has begun, and goes on in the next chunk. */
  get isOpen(): boolean {
    return this.#open !== undefined;
  }

  /** @param entry the entry; its bytes must not change @throws {SnapshotError} `horizonWrong` */
  take(entry: Entry): void {
    if (entry.kind === "state") this.#begin(entry.bytes);
    else if (entry.kind === "numbers") this.#takeNumbers(entry.bytes);
    else if (entry.kind === "node" || entry.kind === "leaf") this.#add(entry.kind, entry.bytes);
    else throw this.#wrong(`a ${entry.kind} is among its states`);
    const open = this.#open;
    if (open === undefined) return;
    const { head, nodes, leaves } = open;
    if (nodes.length < head.nodes || leaves.length < head.leaves) return;
    this.#open = undefined;
    const { root, base } = head;
    const given = { root, base, nodes, leaves, isStoreGiven: true, maxNodes: this.#most.nodes };
    const reason = this.#taker.state(given);
    if (reason !== undefined) throw this.#wrong(`state ${toHex(root)}: ${reason}`);
  }

  /** Ends the reading. @throws {SnapshotError} `horizonWrong`: there is less than the manifest states */
  end(): void {
    this.#requireClosed();
    // Entries before an interruption did not come to this reader.
    const states = [...this.#roots.values()].filter((root) => this.#taker.has(root)).length;
    const numbers = [...this.#blocks.values()].filter((block) => this.#taker.hasNumbers(block)).length;
    if (states !== this.#most.states) throw this.#wrong(`it has ${states} states, and states ${this.#most.states}`);
    if (numbers !== this.#most.numbers)
      throw this.#wrong(`it has the number changes of ${numbers} blocks, and states ${this.#most.numbers}`);
  }

  #begin(bytes: Uint8Array): void {
    this.#requireClosed();
    const head = decodeStateHead(bytes);
    if (head === undefined) throw this.#wrong("what should name a state cannot be read");
    const name = `state ${toHex(head.root)}`;
    if (!this.#roots.has(hashKey(head.root))) throw this.#wrong(`${name} is that of none of the blocks below it`);
    this.#once("states", head.root, name);
    const isNamed = this.#roots.has(hashKey(head.base)) || hashKey(head.base) === this.#first;
    if (!isNamed || !this.#taker.has(head.base))
      throw this.#wrong(`${name} is based on a state that does not come before it`);
    this.#count("nodes", head.nodes);
    this.#count("leaves", head.leaves);
    this.#open = { head, nodes: [], leaves: [], bytes: 0 };
  }

  #add(kind: "node" | "leaf", bytes: Uint8Array): void {
    const open = this.#open;
    if (open === undefined) throw this.#wrong(`a ${kind} is there without a state`);
    const [pieces, most] = kind === "node" ? [open.nodes, open.head.nodes] : [open.leaves, open.head.leaves];
    open.bytes += bytes.length;
    if (pieces.length === most || open.bytes > maxStateBytes)
      throw this.#wrong(`state ${toHex(open.head.root)} has more than it states, or may have`);
    pieces.push(bytes);
  }

  #takeNumbers(bytes: Uint8Array): void {
    this.#requireClosed();
    const numbers = decodeNumbers(bytes);
    const block = numbers && this.#blocks.get(hashKey(numbers.block));
    if (numbers === undefined || block === undefined)
      throw this.#wrong("it has number changes of a block that is none of those below it");
    const name = `what block ${toHex(block.hash)} did to numbers`;
    this.#once("numbers", block.hash, name);
    const { preStateHash, postStateHash } = block.body.state;
    if (!this.#taker.has(preStateHash) || !this.#taker.has(postStateHash))
      throw this.#wrong(`${name} is there without the block's states`);
    const reason = this.#taker.numbers(block, numbers.entry);
    if (reason !== undefined) throw this.#wrong(`${name}: ${reason}`);
  }

  #requireClosed(): void {
    if (this.#open !== undefined) throw this.#wrong(`state ${toHex(this.#open.head.root)} is cut off`);
  }

  #once(kind: "states" | "numbers", hash: Uint8Array, name: string): void {
    const key = `${kind} ${hashKey(hash)}`;
    if (this.#came.has(key)) throw this.#wrong(`${name} comes twice`);
    this.#came.add(key);
    this.#count(kind, 1);
  }

  #count(kind: keyof HorizonFacts, more: number): void {
    this.#counts[kind] += more;
    if (this.#counts[kind] > this.#most[kind])
      throw this.#wrong(`it has more ${kind} than the ${this.#most[kind]} that it states`);
  }

  #wrong(reason: string): SnapshotError {
    return new SnapshotError({ code: "horizonWrong", name: this.#name, reason });
  }
}
