import type { BitSet } from "../model/BitSet.js";
import type { EMap, ESet, KeyValuePair, Par, ReceiveBind } from "../model/Par.js";
import type { BindPattern, ListParWithRandom, TaggedContinuation } from "../model/Tagged.js";
import type { Var } from "../model/Var.js";
import type { PrintOptions } from "../print/PrintScope.js";
import type { DecodeLimits } from "../wire/DecodeLimits.js";

/**
 * How terms become bytes in a dialect: those that are measured for costs and that programs see (protobuf), and those
 * that are hashed and stored; and in which order their parts come. A term is of the form that it was read in or made for; what is remembered with it is too.
 *
 * @spec 20 §9, §10, 61 §2, §5
 */
export interface TermCodec {
  /** @throws {DecodeError} for bytes that are no term, or one beyond the limits or the stack */
  decodePar(bytes: Uint8Array, limits?: DecodeLimits): Par;
  /** Do not modify. @throws {TermLimitError} `tooLarge` */
  encodePar(par: Par): Uint8Array;
  /** Bytes of {@link encodePar}; remembered with the term. */
  sizeOfPar(par: Par): number;
  /** As of {@link sizeOfPar}: what storage costs. */
  sizeOfListParWithRandom(data: ListParWithRandom): number;
  sizeOfBindPattern(pattern: BindPattern): number;
  /** Protobuf, for readers of a tuple space. Do not modify. @throws {TermLimitError} `tooLarge` */
  encodeListParWithRandom(data: ListParWithRandom): Uint8Array;
  encodeBindPattern(pattern: BindPattern): Uint8Array;
  /** The text of a term for people. @spec 20 §12, 61 §5 @throws {PrintError} */
  printPar(par: Par, options?: PrintOptions): string;

  /**
   * Returns the hashed and stored bytes of a term; like the next ones, it throws a {@link TermLimitError} `tooLarge`.
   */
  storedPar(par: Par): Uint8Array;
  storedListParWithRandom(data: ListParWithRandom): Uint8Array;
  storedBindPattern(pattern: BindPattern): Uint8Array;
  storedContinuation(continuation: TaggedContinuation): Uint8Array;
  /** Blake2b-256 of {@link storedPar}. */
  channelHash(channel: Par): Uint8Array;

  /** The canonical form, remembered with the term. @spec 20 §9, §14.3 */
  sortPar(par: Par): Par;
  /** Order of two terms, sorted or not, by their scores. */
  compareScores(left: Par, right: Par): number;
  /** The source and the patterns of a bind in canonical form. */
  sortReceiveBind(bind: ReceiveBind): ReceiveBind;
  /** Order of two binds in canonical form. */
  compareSortedBinds(left: ReceiveBind, right: ReceiveBind): number;
  /** A set without duplicates, in canonical form. */
  makeSet(elements: readonly Par[], locallyFree: BitSet, connectiveUsed: boolean, remainder: Var | undefined): ESet;
  /** A map in canonical form; of entries with equal keys the last value counts. */
  makeMap(
    pairs: readonly KeyValuePair[],
    locallyFree: BitSet,
    connectiveUsed: boolean,
    remainder: Var | undefined,
  ): EMap;
}
