import { emptyBytes } from "@vedette/crypto";
import { none, type Par } from "../model/Par.js";
import {
  BindPattern,
  emptyContinuation,
  ListParWithRandom,
  ParContinuation,
  ParWithRandom,
  SystemContinuation,
  type TaggedContinuation,
} from "../model/Tagged.js";
import { type DecodeLimits, defaultDecodeLimits } from "./DecodeLimits.js";
import { decodeMessage } from "./decode.js";
import { readRemainder } from "./decodeLeaf.js";
import { added, readEmbedded, readNested, readPar } from "./decodeParts.js";
import { mark, Repeats, readMarked } from "./Repeats.js";
import type { TermReader } from "./TermReader.js";

/** Reads the patterns of one bind. @spec 20 §10 @throws {DecodeError} */
export function decodeBindPattern(bytes: Uint8Array, limits: DecodeLimits = defaultDecodeLimits): BindPattern {
  return decodeMessage(bytes, limits, readBindPattern);
}

/** Reads the data of one send. @spec 20 §10 @throws {DecodeError} */
export function decodeListParWithRandom(
  bytes: Uint8Array,
  limits: DecodeLimits = defaultDecodeLimits,
): ListParWithRandom {
  return decodeMessage(bytes, limits, readListParWithRandom);
}

/** Reads what runs when a receive fires. @spec 20 §10 @throws {DecodeError} */
export function decodeContinuation(bytes: Uint8Array, limits: DecodeLimits = defaultDecodeLimits): TaggedContinuation {
  return decodeMessage(bytes, limits, readContinuation);
}

function readBindPattern(reader: TermReader): BindPattern {
  let patterns: readonly Par[] = none;
  let remainder = -1;
  let freeCount = 0;
  let repeats: Repeats | undefined;
  for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) {
    if (tag === 0x0a) patterns = added(patterns, readNested(reader, readPar));
    else if (tag === 0x12) {
      if (remainder < 0) remainder = mark(reader);
      else repeats = Repeats.note(repeats, 2, reader);
    } else if (tag === 0x18) freeCount = reader.int32();
    else reader.skip(tag);
  }
  return new BindPattern(patterns, readRemainder(reader, remainder, 2, repeats), freeCount);
}

function readListParWithRandom(reader: TermReader): ListParWithRandom {
  let pars: readonly Par[] = none;
  let randomState: Uint8Array = emptyBytes;
  for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) {
    if (tag === 0x0a) pars = added(pars, readNested(reader, readPar));
    else if (tag === 0x12) randomState = reader.content();
    else reader.skip(tag);
  }
  return new ListParWithRandom(pars, randomState);
}

function readParWithRandom(reader: TermReader): ParWithRandom {
  let body = -1;
  let randomState: Uint8Array = emptyBytes;
  let repeats: Repeats | undefined;
  for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) {
    if (tag === 0x0a) {
      if (body < 0) body = mark(reader);
      else repeats = Repeats.note(repeats, 1, reader);
    } else if (tag === 0x12) randomState = reader.content();
    else reader.skip(tag);
  }
  return new ParWithRandom(readEmbedded(reader, body, 1, repeats), randomState);
}

function readContinuation(reader: TermReader): TaggedContinuation {
  let system: TaggedContinuation = emptyContinuation;
  let body = -1;
  let repeats: Repeats | undefined;
  for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) {
    if (tag === 0x0a) {
      if (body < 0) body = mark(reader);
      else repeats = Repeats.note(repeats, 1, reader);
    } else if (tag === 0x10) {
      system = new SystemContinuation(reader.int64());
      body = -1;
      repeats = undefined;
    } else reader.skip(tag);
  }
  return body < 0 ? system : new ParContinuation(readMarked(reader, body, 1, repeats, readParWithRandom));
}
