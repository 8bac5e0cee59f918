import type { BindPattern, ListParWithRandom, ParWithRandom, TaggedContinuation } from "../model/Tagged.js";
import { ParWriter } from "./encode.js";
import { writeCount, writeEmbedded, writeList, writeRemainder } from "./encodeParts.js";
import { bytesFieldSize, countSize, embeddedSize, listSize, remainderSize } from "./size.js";
import type { TermWriter } from "./TermWriter.js";
import { framedSize, uint64Size } from "./varint.js";

/** Serialized size of a bind pattern: what a stored consume is charged for. @spec 20 §10, 22 §5.1 */
export function sizeOfBindPattern(pattern: BindPattern): number {
  if (pattern.cachedEncoding !== undefined) return pattern.cachedEncoding.length;
  return listSize(pattern.patterns) + remainderSize(pattern.remainder) + countSize(pattern.freeCount);
}

/** Kept on the bind pattern; do not modify. @spec 20 §10 */
export function encodeBindPattern(pattern: BindPattern): Uint8Array {
  if (pattern.cachedEncoding !== undefined) return pattern.cachedEncoding;
  const writer = ParWriter.ofSize(sizeOfBindPattern(pattern));
  writeBindPattern(writer, pattern);
  pattern.cachedEncoding = writer.bytes;
  return writer.bytes;
}

/** As {@link encodeBindPattern}, into a larger buffer; nothing is kept. @spec 20 §10 */
export function writeBindPattern(writer: TermWriter, pattern: BindPattern): void {
  if (pattern.cachedEncoding !== undefined) {
    writer.raw(pattern.cachedEncoding);
    return;
  }
  writeList(writer, 1, pattern.patterns);
  writeRemainder(writer, 2, pattern.remainder);
  writeCount(writer, 3, pattern.freeCount);
}

/** Serialized size of the data of one send with its random state. @spec 20 §10 */
export function sizeOfListParWithRandom(list: ListParWithRandom): number {
  if (list.cachedEncoding !== undefined) return list.cachedEncoding.length;
  return listSize(list.pars) + bytesFieldSize(list.randomState);
}

/** Kept on the list; do not modify. @spec 20 §10 */
export function encodeListParWithRandom(list: ListParWithRandom): Uint8Array {
  if (list.cachedEncoding !== undefined) return list.cachedEncoding;
  const writer = ParWriter.ofSize(sizeOfListParWithRandom(list), false);
  writeListParWithRandom(writer, list);
  list.cachedEncoding = writer.bytes;
  return writer.bytes;
}

/**
 * Writes what {@link encodeListParWithRandom} returns into a larger buffer. The bytes are not cached: most data are
 * removed before their bytes are needed again.
 *
 * @spec 20 §10
 */
export function writeListParWithRandom(writer: TermWriter, list: ListParWithRandom): void {
  if (list.cachedEncoding !== undefined) {
    writer.raw(list.cachedEncoding);
    return;
  }
  writeList(writer, 1, list.pars);
  writeRandomState(writer, list.randomState);
}

/** Serialized size of a continuation. @spec 20 §10 */
export function sizeOfContinuation(continuation: TaggedContinuation): number {
  if (continuation.cachedEncoding !== undefined) return continuation.cachedEncoding.length;
  switch (continuation.kind) {
    case "ParContinuation":
      return framedSize(sizeOfParWithRandom(continuation.value));
    case "SystemContinuation":
      return 1 + uint64Size(BigInt.asUintN(64, continuation.bodyRef));
    case "EmptyContinuation":
      return 0;
  }
}

/** Kept on the continuation; do not modify. @spec 20 §10 */
export function encodeContinuation(continuation: TaggedContinuation): Uint8Array {
  if (continuation.cachedEncoding !== undefined) return continuation.cachedEncoding;
  const writer = ParWriter.ofSize(sizeOfContinuation(continuation), false);
  writeContinuation(writer, continuation);
  continuation.cachedEncoding = writer.bytes;
  return writer.bytes;
}

/** As {@link encodeContinuation}, into a larger buffer; nothing is kept. @spec 20 §10 */
export function writeContinuation(writer: TermWriter, continuation: TaggedContinuation): void {
  if (continuation.cachedEncoding !== undefined) {
    writer.raw(continuation.cachedEncoding);
  } else if (continuation.kind === "ParContinuation") {
    writer.head(1, sizeOfParWithRandom(continuation.value));
    writeParWithRandom(writer, continuation.value);
  } else if (continuation.kind === "SystemContinuation") {
    writer.varint(0x10);
    writer.uint64(BigInt.asUintN(64, continuation.bodyRef));
  }
}

function sizeOfParWithRandom(process: ParWithRandom): number {
  return embeddedSize(process.body) + bytesFieldSize(process.randomState);
}

function writeParWithRandom(writer: TermWriter, process: ParWithRandom): void {
  writeEmbedded(writer, 1, process.body);
  writeRandomState(writer, process.randomState);
}

function writeRandomState(writer: TermWriter, randomState: Uint8Array): void {
  if (randomState.length === 0) return;
  writer.head(2, randomState.length);
  writer.raw(randomState);
}
