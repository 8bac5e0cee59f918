import type { BincodeReader } from "../bincode/BincodeReader.js";
import { type HashedPart, hashedPart, hashOf, toBytes } from "../f1r3node/BincodeSink.js";
import { fromReader } from "../f1r3node/BincodeSource.js";
import { takeBindPattern, takeContinuation, takeListParWithRandom, takePar } from "../f1r3node/decodeTerm.js";
import type { Put } from "../f1r3node/FieldSink.js";
import { ProtobufSink } from "../f1r3node/ProtobufSink.js";
import { ProtobufSizer } from "../f1r3node/ProtobufSizer.js";
import { ProtobufSource } from "../f1r3node/ProtobufSource.js";
import { printF1r3nodePar } from "../f1r3node/print/printF1r3nodePar.js";
import { putBindPattern, putContinuation, putListParWithRandom, writeTermBody } from "../f1r3node/writeTerm.js";
import { nil, type Par } from "../model/Par.js";
import type { BindPattern, ListParWithRandom, TaggedContinuation } from "../model/Tagged.js";
import { compareSortedBinds } from "../order/compare.js";
import { f1r3nodeAtoms } from "../order/compareAtoms.js";
import { makeMap } from "../order/makeMap.js";
import { makeSet } from "../order/makeSet.js";
import { scoresBy, sortedBy, sortReceiveBind } from "../order/sortPar.js";
import { DecodeError } from "../wire/DecodeError.js";
import { type DecodeLimits, defaultDecodeLimits } from "../wire/DecodeLimits.js";
import type { TermCodec } from "./TermCodec.js";

const sizer = new ProtobufSizer();

/** The terms of f1r3node networks: hashed and stored in bincode. @spec 61 §2, §5 */
export const f1r3nodeTerms: TermCodec = {
  decodePar(bytes: Uint8Array, limits: DecodeLimits = defaultDecodeLimits): Par {
    try {
      return new ProtobufSource(bytes, limits).whole(takePar);
    } catch (error) {
      if (error instanceof RangeError) throw new DecodeError({ code: "tooDeep" }, { cause: error });
      throw error;
    }
  },
  encodePar(par) {
    const sink = new ProtobufSink(sizer.ofPar(par), sizer);
    sink.whole(par);
    return sink.bytes;
  },
  sizeOfPar: (par) => sizer.ofPar(par),
  sizeOfListParWithRandom: (data) => sizer.of(data, putListParWithRandom),
  sizeOfBindPattern: (pattern) => sizer.of(pattern, putBindPattern),
  encodeListParWithRandom: (data) => toProtobuf(data, putListParWithRandom),
  encodeBindPattern: (pattern) => toProtobuf(pattern, putBindPattern),
  printPar: printF1r3nodePar,
  storedPar: (par) => toBytes(par, writeTermBody),
  storedListParWithRandom(data) {
    data.cachedEncoding ??= toBytes(data, putListParWithRandom);
    return data.cachedEncoding;
  },
  storedBindPattern(pattern) {
    pattern.cachedEncoding ??= toBytes(pattern, putBindPattern);
    return pattern.cachedEncoding;
  },
  storedContinuation(continuation) {
    if (continuation.kind === "EmptyContinuation") return toBytes(continuation, putContinuation);
    continuation.cachedEncoding ??= toBytes(continuation, putContinuation);
    return continuation.cachedEncoding;
  },
  channelHash(channel) {
    // The one term that all dialects share.
    if (channel === nil) return hashOf(nil, writeTermBody);
    channel.cachedHash ??= hashOf(channel, writeTermBody);
    return channel.cachedHash;
  },
  sortPar: (par) => sortedBy(par, f1r3nodeAtoms),
  compareScores: (left, right) => scoresBy(left, right, f1r3nodeAtoms),
  sortReceiveBind: (bind) => sortReceiveBind(bind, f1r3nodeAtoms),
  compareSortedBinds: (left, right) => compareSortedBinds(left, right, f1r3nodeAtoms),
  makeSet: (elements, free, used, remainder) => makeSet(elements, free, used, remainder, f1r3nodeAtoms),
  makeMap: (pairs, free, used, remainder) => makeMap(pairs, free, used, remainder, f1r3nodeAtoms),
};

function toProtobuf<Message>(message: Message, put: Put<Message>): Uint8Array {
  const sink = new ProtobufSink(sizer.of(message, put), sizer);
  put(sink, message);
  return sink.bytes;
}

/**
 * Returns the form of a datum in the hash of its produce: its cached bytes, or bytes that are written for the hash
 * alone, since most data are consumed at once and never stored.
 *
 * @spec 61 §2.1
 */
export function hashedData(data: ListParWithRandom): HashedPart {
  return data.cachedEncoding ?? hashedPart(data, putListParWithRandom);
}

/** As {@link hashedData}, of the only pattern of a consume. @spec 61 §2.1 */
export function hashedPattern(pattern: BindPattern): HashedPart {
  return pattern.cachedEncoding ?? hashedPart(pattern, putBindPattern);
}

/** As {@link hashedData}, of a continuation in the hash of its consume. @spec 61 §2.1 */
export function hashedContinuation(continuation: TaggedContinuation): HashedPart {
  const known = continuation.kind === "EmptyContinuation" ? undefined : continuation.cachedEncoding;
  return known ?? hashedPart(continuation, putContinuation);
}

/**
 * Reads a term that was stored on an f1r3node network; the reader moves behind it. It has no sets of free
 * variables, and its byte strings are views.
 *
 * @spec 61 §2
 * @throws {DecodeError} for bytes that are none, or one that is nested too deeply; so the next ones
 */
export function readStoredPar(reader: BincodeReader): Par {
  return fromReader(reader, takePar);
}

/** @spec 61 §2 @throws {DecodeError} */
export function readStoredListParWithRandom(reader: BincodeReader): ListParWithRandom {
  return fromReader(reader, takeListParWithRandom);
}

/** @spec 61 §2 @throws {DecodeError} */
export function readStoredBindPattern(reader: BincodeReader): BindPattern {
  return fromReader(reader, takeBindPattern);
}

/** @spec 61 §2 @throws {DecodeError} */
export function readStoredContinuation(reader: BincodeReader): TaggedContinuation {
  return fromReader(reader, takeContinuation);
}
