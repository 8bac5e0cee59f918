import type { BindPattern, ListParWithRandom, Par, TaggedContinuation } from "@vedette/terms";
import { sizeOfBindPattern, sizeOfPar } from "@vedette/terms";

/** Start of every send. @spec 22 §4.3 */
export const sendEvalCost = 11;
/** Start of every receive. @spec 22 §4.3 */
export const receiveEvalCost = 11;
/** Start of every match. @spec 22 §4.3 */
export const matchEvalCost = 12;

const hashLength = 32;

/** Start of every `new`. @spec 22 §4.3 */
export function newBindingsCost(bindCount: number): number {
  return 2 * bindCount + 10;
}

/** The event cost of a stored datum or continuation over `channels` channels. @spec 22 §4.6 */
export function eventCost(channels: number): number {
  return hashLength + channels * hashLength;
}

/** The cost of a COMM with a continuation over `channels` channels. @spec 22 §4.6 */
export function commCost(channels: number): number {
  return eventCost(channels) + channels * eventCost(1);
}

/** Bytes that a datum occupies, as charged: without the wrapper and the random state. @spec 22 §4.6, §5.1 */
export function storageProduceCost(channel: Par, data: ListParWithRandom): number {
  let size = sizeOfPar(channel);
  const pars = data.pars;
  for (let i = 0; i < pars.length; i += 1) size += sizeOfPar(pars[i]!);
  return size;
}

/** Bytes that a waiting continuation occupies, as charged: a built-in body counts nothing. @spec 22 §4.6, §5.1 */
export function storageConsumeCost(
  channels: readonly Par[],
  patterns: readonly BindPattern[],
  continuation: TaggedContinuation,
): number {
  let size = continuation.kind === "ParContinuation" ? sizeOfPar(continuation.value.body) : 0;
  for (let i = 0; i < channels.length; i += 1) size += sizeOfPar(channels[i]!);
  for (let i = 0; i < patterns.length; i += 1) size += sizeOfBindPattern(patterns[i]!);
  return size;
}

/** Number of bytes of a text in UTF-8, counted without encoding it. @spec 21 §1.3 */
export function parsingCost(source: string): number {
  let bytes = 0;
  for (let i = 0; i < source.length; i += 1) {
    const unit = source.charCodeAt(i);
    if (unit < 0x80) bytes += 1;
    else if (unit < 0x800) bytes += 2;
    else if (unit < 0xd800 || unit > 0xdfff) bytes += 3;
    else if (unit < 0xdc00 && (source.charCodeAt(i + 1) & 0xfc00) === 0xdc00) {
      bytes += 4;
      i += 1;
    } else bytes += 1; // an unpaired surrogate is written as `?`
  }
  return bytes;
}
