import { blake2b256, toHex } from "@vedette/crypto";
import { errorText } from "@vedette/errors";
import { type Block, hashKey } from "@vedette/protocol";
import {
  childrenOf,
  decodeNumberEntry,
  emptyRoot,
  type GivenState,
  HistoryError,
  isLeafOf,
  MergeError,
  nextBytesOf,
  RadixNode,
  type SpaceDialect,
} from "@vedette/tuplespace";
import type { HorizonSink } from "./HorizonReader.js";

/** Hashes of what was seen of a snapshot. */
export interface SeenItems {
  readonly nodes: Set<string>;
  /** Hashes of leaves, with the first byte of their keys, which gives their kind. */
  readonly leaves: Map<string, number>;
}

/** A node or leaf that a state has. */
interface Place {
  readonly hash: Uint8Array;
  /** The first byte of the keys below; the root has those of all. */
  readonly firstByte: number | undefined;
}

/**
 * Checks the horizon of a snapshot without storing it: each state is complete by the pieces before it and with it.
 * Claims about numbers are checked as far as possible without the values in the states. A node that begins with the
 * snapshot compares them with these.
 */
export class CheckedHorizon implements HorizonSink {
  readonly #form: SpaceDialect;
  readonly #seen: SeenItems;
  readonly #had: Set<string>;
  readonly #withNumbers = new Set<string>();

  /** @param seen of the snapshot's own state: all of it @param first its root */
  constructor(form: SpaceDialect, seen: SeenItems, first: Uint8Array) {
    this.#form = form;
    this.#seen = seen;
    this.#had = new Set([hashKey(first), hashKey(emptyRoot)]);
  }

  has(root: Uint8Array): boolean {
    return this.#had.has(hashKey(root));
  }

  hasNumbers(block: Block): boolean {
    return this.#withNumbers.has(hashKey(block.hash));
  }

  state({ root, nodes, leaves }: GivenState): string | undefined {
    const givenNodes = byHash(nodes, blake2b256);
    const givenLeaves = byHash(leaves, this.#form.leafHash);
    const pending: Place[] = [{ hash: root, firstByte: undefined }];
    for (let place = pending.pop(); place !== undefined; place = pending.pop()) {
      const key = hashKey(place.hash);
      const bytes = givenNodes.get(key);
      givenNodes.delete(key);
      if (this.#seen.nodes.has(key)) continue;
      if (bytes === undefined) return "it is not whole";
      this.#seen.nodes.add(key);
      const below = placesBelow(bytes, place.firstByte);
      if (below === undefined) return `node ${toHex(place.hash)} cannot be read`;
      pending.push(...below.nodes);
      for (const leaf of below.leaves) {
        const reason = this.#leaf(leaf, givenLeaves);
        if (reason !== undefined) return reason;
      }
    }
    // Pieces that have moved within a state come again.
    const isUnknown = [...givenNodes.keys()].some((key) => !this.#seen.nodes.has(key));
    if (isUnknown || [...givenLeaves.keys()].some((key) => !this.#seen.leaves.has(key)))
      return "it comes with nodes or leaves that it does not have";
    this.#had.add(hashKey(root));
    return undefined;
  }

  #leaf({ hash, firstByte }: Place, given: Map<string, Uint8Array>): string | undefined {
    const key = hashKey(hash);
    const bytes = given.get(key);
    given.delete(key);
    const seen = this.#seen.leaves.get(key);
    if (bytes === undefined && seen === undefined) return "it is not whole";
    const isRight = seen === undefined ? isLeafOf(this.#form, bytes!, firstByte!) : this.#isAlike(seen, firstByte!);
    if (!isRight) return `leaf ${toHex(hash)} is of another kind than its place`;
    this.#seen.leaves.set(key, firstByte!);
    return undefined;
  }

  /** Where a hash does not cover what a leaf is, one has one kind. */
  #isAlike(one: number, other: number): boolean {
    return this.#form.uncoveredKind === undefined || one === other;
  }

  numbers(block: Block, entry: Uint8Array): string | undefined {
    this.#withNumbers.add(hashKey(block.hash));
    const { deploys, systemDeploys } = block.body;
    const count = deploys.length + systemDeploys.length;
    try {
      const entries = decodeNumberEntry(entry).length;
      return entries === count ? undefined : `it is of ${entries} deploys, and the block has ${count}`;
    } catch (error) {
      if (error instanceof MergeError) return errorText(error);
      throw error;
    }
  }
}

function byHash(pieces: readonly Uint8Array[], hash: (bytes: Uint8Array) => Uint8Array): Map<string, Uint8Array> {
  return new Map(pieces.map((bytes) => [hashKey(hash(bytes)), bytes]));
}

/** @returns `undefined` for what is no node */
function placesBelow(bytes: Uint8Array, firstByte: number | undefined) {
  try {
    const node = new RadixNode(bytes);
    const { nodes, leaves } = childrenOf(node);
    const next = nextBytesOf(node);
    const placed = (hash: Uint8Array, byte: number): Place => ({ hash, firstByte: firstByte ?? byte });
    return {
      nodes: nodes.map((hash, at) => placed(hash, next.nodes[at]!)),
      leaves: leaves.map((hash, at) => placed(hash, next.leaves[at]!)),
    };
  } catch (error) {
    if (error instanceof HistoryError) return undefined;
    throw error;
  }
}
