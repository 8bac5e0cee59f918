import { emptyBitSet } from "../model/BitSet.js";
import {
  Bundle,
  type Connective,
  type Expr,
  Match,
  MatchCase,
  New,
  noInjections,
  none,
  Par,
  Receive,
  ReceiveBind,
  Send,
} from "../model/Par.js";
import type { Unforgeable } from "../model/Unforgeable.js";
import { DecodeError } from "./DecodeError.js";
import { type DecodeLimits, defaultDecodeLimits } from "./DecodeLimits.js";
import { readExpr } from "./decodeExpr.js";
import { readConnective, readRemainder, readUnforgeable } from "./decodeLeaf.js";
import { added, readBits, readEmbedded, readNested, readPar } from "./decodeParts.js";
import { mark, Repeats } from "./Repeats.js";
import { TermReader } from "./TermReader.js";

/**
 * Reads a term from its bytes. Sets and maps are put into canonical form, everything else stays as it came.
 *
 * @spec 20 §10 (rule 11)
 * @throws {DecodeError} for bytes that are no term, or one beyond the limits or the stack
 */
export function decodePar(bytes: Uint8Array, limits: DecodeLimits = defaultDecodeLimits): Par {
  return decodeMessage(bytes, limits, readPar);
}

/** Runs a decoder over a whole buffer; a stack overflow becomes a {@link DecodeError}. */
export function decodeMessage<Message>(
  bytes: Uint8Array,
  limits: DecodeLimits,
  read: (reader: TermReader) => Message,
): Message {
  try {
    return read(new ParReader(bytes, limits));
  } catch (error) {
    if (error instanceof RangeError) throw new DecodeError({ code: "tooDeep" }, { cause: error });
    throw error;
  }
}

/** Reads terms: what {@link TermReader} leaves open, as what is part of a term has terms again. */
class ParReader extends TermReader {
  par(): Par {
    return readFields(this);
  }
}

function readFields(reader: TermReader): Par {
  let sends: readonly Send[] = none;
  let receives: readonly Receive[] = none;
  let news: readonly New[] = none;
  let exprs: readonly Expr[] = none;
  let matches: readonly Match[] = none;
  let unforgeables: readonly Unforgeable[] = none;
  let bundles: readonly Bundle[] = none;
  let connectives: readonly Connective[] = none;
  let locallyFree = emptyBitSet;
  let connectiveUsed = false;
  for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) {
    switch (tag) {
      case 0x0a:
        sends = added(sends, readNested(reader, readSend));
        break;
      case 0x12:
        receives = added(receives, readNested(reader, readReceive));
        break;
      case 0x22:
        news = added(news, readNested(reader, readNew));
        break;
      case 0x2a:
        exprs = added(exprs, readNested(reader, readExpr));
        break;
      case 0x32:
        matches = added(matches, readNested(reader, readMatch));
        break;
      case 0x3a:
        unforgeables = added(unforgeables, readNested(reader, readUnforgeable));
        break;
      case 0x42:
        connectives = added(connectives, readNested(reader, readConnective));
        break;
      case 0x4a:
        locallyFree = readBits(reader);
        break;
      case 0x50:
        connectiveUsed = reader.bool();
        break;
      case 0x5a:
        bundles = added(bundles, readNested(reader, readBundle));
        break;
      default:
        reader.skip(tag);
    }
  }
  // biome-ignore format: the arguments in one row, as in the class
  return new Par(sends, receives, news, exprs, matches, unforgeables, bundles, connectives, locallyFree, connectiveUsed);
}

function readSend(reader: TermReader): Send {
  let chan = -1;
  let data: readonly Par[] = none;
  let persistent = false;
  let locallyFree = emptyBitSet;
  let connectiveUsed = false;
  let repeats: Repeats | undefined;
  for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) {
    if (tag === 0x0a) {
      if (chan < 0) chan = mark(reader);
      else repeats = Repeats.note(repeats, 1, reader);
    } else if (tag === 0x12) data = added(data, readNested(reader, readPar));
    else if (tag === 0x18) persistent = reader.bool();
    else if (tag === 0x2a) locallyFree = readBits(reader);
    else if (tag === 0x30) connectiveUsed = reader.bool();
    else reader.skip(tag);
  }
  return new Send(readEmbedded(reader, chan, 1, repeats), data, persistent, locallyFree, connectiveUsed);
}

function readReceive(reader: TermReader): Receive {
  let binds: readonly ReceiveBind[] = none;
  let place = -1;
  let persistent = false;
  let peek = false;
  let bindCount = 0;
  let locallyFree = emptyBitSet;
  let connectiveUsed = false;
  let repeats: Repeats | undefined;
  for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) {
    if (tag === 0x0a) binds = added(binds, readNested(reader, readReceiveBind));
    else if (tag === 0x12) {
      if (place < 0) place = mark(reader);
      else repeats = Repeats.note(repeats, 2, reader);
    } else if (tag === 0x18) persistent = reader.bool();
    else if (tag === 0x20) peek = reader.bool();
    else if (tag === 0x28) bindCount = reader.int32();
    else if (tag === 0x32) locallyFree = readBits(reader);
    else if (tag === 0x38) connectiveUsed = reader.bool();
    else reader.skip(tag);
  }
  const body = readEmbedded(reader, place, 2, repeats);
  return new Receive(binds, body, persistent, peek, bindCount, locallyFree, connectiveUsed);
}

function readReceiveBind(reader: TermReader): ReceiveBind {
  let patterns: readonly Par[] = none;
  let source = -1;
  let remainder = -1;
  let freeCount = 0;
  let repeats: Repeats | undefined;
  for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) {
    if (tag === 0x0a) patterns = added(patterns, readNested(reader, readPar));
    else if (tag === 0x12) {
      if (source < 0) source = mark(reader);
      else repeats = Repeats.note(repeats, 2, reader);
    } else if (tag === 0x1a) {
      if (remainder < 0) remainder = mark(reader);
      else repeats = Repeats.note(repeats, 3, reader);
    } else if (tag === 0x20) freeCount = reader.int32();
    else reader.skip(tag);
  }
  return new ReceiveBind(
    patterns,
    readEmbedded(reader, source, 2, repeats),
    readRemainder(reader, remainder, 3, repeats),
    freeCount,
  );
}

function readNew(reader: TermReader): New {
  let bindCount = 0;
  let place = -1;
  let uri: readonly string[] = none;
  let injections: Map<string, Par> | undefined;
  let locallyFree = emptyBitSet;
  let repeats: Repeats | undefined;
  for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) {
    if (tag === 0x08) bindCount = reader.sint32();
    else if (tag === 0x12) {
      if (place < 0) place = mark(reader);
      else repeats = Repeats.note(repeats, 2, reader);
    } else if (tag === 0x1a) {
      reader.countNode();
      uri = added(uri, reader.text());
    } else if (tag === 0x22) {
      injections ??= new Map();
      readInjection(reader, injections);
    } else if (tag === 0x2a) locallyFree = readBits(reader);
    else reader.skip(tag);
  }
  return new New(bindCount, readEmbedded(reader, place, 2, repeats), uri, injections ?? noInjections, locallyFree);
}

function readInjection(reader: TermReader, injections: Map<string, Par>): void {
  const outer = reader.enter();
  let urn = "";
  let place = -1;
  let repeats: Repeats | undefined;
  for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) {
    if (tag === 0x0a) urn = reader.text();
    else if (tag === 0x12) {
      if (place < 0) place = mark(reader);
      else repeats = Repeats.note(repeats, 2, reader);
    } else reader.skip(tag);
  }
  injections.set(urn, readEmbedded(reader, place, 2, repeats));
  reader.leave(outer);
}

function readMatch(reader: TermReader): Match {
  let target = -1;
  let cases: readonly MatchCase[] = none;
  let locallyFree = emptyBitSet;
  let connectiveUsed = false;
  let repeats: Repeats | undefined;
  for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) {
    if (tag === 0x0a) {
      if (target < 0) target = mark(reader);
      else repeats = Repeats.note(repeats, 1, reader);
    } else if (tag === 0x12) cases = added(cases, readNested(reader, readMatchCase));
    else if (tag === 0x22) locallyFree = readBits(reader);
    else if (tag === 0x28) connectiveUsed = reader.bool();
    else reader.skip(tag);
  }
  return new Match(readEmbedded(reader, target, 1, repeats), cases, locallyFree, connectiveUsed);
}

function readMatchCase(reader: TermReader): MatchCase {
  let pattern = -1;
  let source = -1;
  let freeCount = 0;
  let repeats: Repeats | undefined;
  for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) {
    if (tag === 0x0a) {
      if (pattern < 0) pattern = mark(reader);
      else repeats = Repeats.note(repeats, 1, reader);
    } else if (tag === 0x12) {
      if (source < 0) source = mark(reader);
      else repeats = Repeats.note(repeats, 2, reader);
    } else if (tag === 0x18) freeCount = reader.int32();
    else reader.skip(tag);
  }
  return new MatchCase(readEmbedded(reader, pattern, 1, repeats), readEmbedded(reader, source, 2, repeats), freeCount);
}

function readBundle(reader: TermReader): Bundle {
  let body = -1;
  let writeFlag = false;
  let readFlag = false;
  let repeats: Repeats | undefined;
  for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) {
    if (tag === 0x0a) {
      if (body < 0) body = mark(reader);
      else repeats = Repeats.note(repeats, 1, reader);
    } else if (tag === 0x10) writeFlag = reader.bool();
    else if (tag === 0x18) readFlag = reader.bool();
    else reader.skip(tag);
  }
  return new Bundle(readEmbedded(reader, body, 1, repeats), writeFlag, readFlag);
}
