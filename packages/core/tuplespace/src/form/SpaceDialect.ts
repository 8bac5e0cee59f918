import type { ConsumeEvent, ProduceEvent } from "@vedette/protocol";
import type { BindPattern, ListParWithRandom, Par, TaggedContinuation } from "@vedette/terms";
import type { Datum } from "../leaf/Datum.js";
import type { EncodedLeaf, Leaf } from "../leaf/Leaf.js";
import type { LeafKind } from "../leaf/LeafError.js";
import type { WaitingContinuation, WaitingFields } from "../leaf/WaitingContinuation.js";
import type { SpaceRules } from "../rules/SpaceRules.js";

/**
 * The parts of a tuple space that differ by dialect: how events and the leaves of the state tree are hashed and stored,
 * and the rules of its operations. The tree itself is the same in all dialects.
 *
 * @spec 30 §2, §4, 61 §2.1, §2.2
 */
export interface SpaceDialect {
  readonly rules: SpaceRules;

  /** 32 bytes, remembered with the channel. @spec 30 §2.1 */
  channelHash(channel: Par): Uint8Array;
  /** @spec 30 §2.3, 61 §2.1 */
  produceEvent(channelHash: Uint8Array, data: ListParWithRandom, persist: boolean): ProduceEvent;
  /** @param channelHashes in the order of the binds @spec 30 §2.4, 61 §2.1 */
  consumeEvent(
    channelHashes: readonly Uint8Array[],
    patterns: readonly BindPattern[],
    continuation: TaggedContinuation,
    persist: boolean,
  ): ConsumeEvent;

  datum(content: ListParWithRandom, persist: boolean, source: ProduceEvent): Datum;
  waiting(fields: WaitingFields): WaitingContinuation;

  /** Items in any order. @spec 30 §4.5, 61 §2.2 */
  leafOfData(items: readonly Datum[]): EncodedLeaf;
  leafOfContinuations(items: readonly WaitingContinuation[]): EncodedLeaf;
  /** @param lists of channels on which continuations wait together, in the order of the binds */
  leafOfJoins(lists: readonly (readonly Par[])[]): EncodedLeaf;
  /** @throws {LeafError} `corrupted` @spec 30 §4.6, 61 §2.2 */
  decodeLeaf(hash: Uint8Array, bytes: Uint8Array): Leaf;
  /** Returns the hash under which a leaf of these bytes is stored. @spec 30 §4.5, 61 §2.2 */
  leafHash(bytes: Uint8Array): Uint8Array;
  /** Reads what a leaf holds where its hash does not cover it; absent where it does. @throws {LeafError} `corrupted` */
  readonly uncoveredKind?: (bytes: Uint8Array) => LeafKind;
  /** Reads all of a leaf by its stated kinds, where its hash does not cover them. @throws {LeafError} `corrupted` */
  readonly checkUncovered?: (bytes: Uint8Array) => void;
  /**
   * Whether pages of a state list their items each once and in any order; else they are listed as a traversal meets
   * them, and as often.
   *
   * @spec 30 §6.4, 61 §16.3
   */
  readonly pagesAreSets: boolean;
}
