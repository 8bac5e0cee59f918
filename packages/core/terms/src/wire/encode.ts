import {
  type Bundle,
  type Connective,
  type Match,
  type New,
  type Par,
  type Receive,
  type ReceiveBind,
  type Send,
  wasWritten,
} from "../model/Par.js";
import { checkTermSize } from "../model/TermLimitError.js";
import type { Unforgeable } from "../model/Unforgeable.js";
import type { Var } from "../model/Var.js";
import { writeExpr } from "./encodeExpr.js";
import { writeCount, writeEmbedded, writeFlags, writeList, writeRemainder } from "./encodeParts.js";
import { connectiveTypeField } from "./fields.js";
import {
  bytesFieldSize,
  injectionSize,
  listSize,
  sizeOfBundle,
  sizeOfConnective,
  sizeOfExpr,
  sizeOfMatch,
  sizeOfMatchCase,
  sizeOfNew,
  sizeOfPar,
  sizeOfReceive,
  sizeOfReceiveBind,
  sizeOfSend,
  sizeOfUnforgeable,
  varRefSize,
} from "./size.js";
import { TermWriter } from "./TermWriter.js";
import { utf8Size } from "./utf8.js";

/**
 * The canonical bytes of a term: hashed for channels, stored, measured for costs. Kept on the Par; do not modify.
 *
 * @spec 20 §10
 * @cost one pass for the size (cached below) and one that writes
 */
export function encodePar(par: Par): Uint8Array {
  if (par.cachedEncoding !== undefined) return par.cachedEncoding;
  const writer = ParWriter.ofSize(sizeOfPar(par));
  writeFields(writer, par);
  par.cachedEncoding = writer.bytes;
  return writer.bytes;
}

/** Writes terms: what {@link TermWriter} leaves open, as what is part of a term has terms again. */
export class ParWriter extends TermWriter {
  /** A writer with a buffer of its own. @throws {TermLimitError} `tooLarge` */
  static ofSize(sizeBytes: number, keepsShared = true): ParWriter {
    checkTermSize(sizeBytes);
    return new ParWriter(new Uint8Array(sizeBytes), keepsShared);
  }

  /**
   * Writes a Par that is part of another term.
   *
   * The bodies of one contract's continuations share most of their parts. Those of middle size are kept encoded
   * when they are written a second time, the largest shared part alone, so that the next body is mostly copied.
   */
  par(par: Par): void {
    if (par.cachedEncoding !== undefined) {
      this.raw(par.cachedEncoding);
      return;
    }
    const size = sizeOfPar(par);
    if (!this.keepsShared || size < minKeptBytes || size > maxKeptBytes) writeFields(this, par);
    else if ((par.cachedFacts & wasWritten) !== 0) {
      const inner = new ParWriter(new Uint8Array(size), false);
      writeFields(inner, par);
      par.cachedEncoding = inner.bytes;
      this.raw(inner.bytes);
    } else {
      par.cachedFacts |= wasWritten;
      writeFields(this, par);
    }
  }
}

const minKeptBytes = 64;
const maxKeptBytes = 4096;

/**
 * Writes the fields of a Par, in the order of their numbers: bundles come last.
 *
 * PERF: nearly every Par has one expression or one name and nothing else, so the other lists are checked once,
 * together.
 */
function writeFields(writer: TermWriter, par: Par): void {
  const { sends, receives, news, exprs, matches, unforgeables, connectives, bundles } = par;
  if (sends.length + receives.length + news.length + matches.length > 0) {
    for (let i = 0; i < sends.length; i += 1) {
      const send = sends[i]!;
      writer.head(1, sizeOfSend(send));
      writeSend(writer, send);
    }
    for (let i = 0; i < receives.length; i += 1) {
      const receive = receives[i]!;
      writer.head(2, sizeOfReceive(receive));
      writeReceive(writer, receive);
    }
    for (let i = 0; i < news.length; i += 1) {
      const fresh = news[i]!;
      writer.head(4, sizeOfNew(fresh));
      writeNew(writer, fresh);
    }
  }
  for (let i = 0; i < exprs.length; i += 1) {
    const expr = exprs[i]!;
    if (expr.kind === "EVar" && writesShortVariable(writer, expr.v)) continue;
    writer.head(5, sizeOfExpr(expr));
    writeExpr(writer, expr);
  }
  for (let i = 0; i < matches.length; i += 1) {
    const match = matches[i]!;
    writer.head(6, sizeOfMatch(match));
    writeMatch(writer, match);
  }
  for (let i = 0; i < unforgeables.length; i += 1) {
    const unforgeable = unforgeables[i]!;
    writer.head(7, sizeOfUnforgeable(unforgeable));
    writeUnforgeable(writer, unforgeable);
  }
  for (let i = 0; i < connectives.length; i += 1) {
    const connective = connectives[i]!;
    writer.head(8, sizeOfConnective(connective));
    writeConnective(writer, connective);
  }
  writeFlags(writer, 9, par.locallyFree, par.connectiveUsed);
  for (let i = 0; i < bundles.length; i += 1) {
    const bundle = bundles[i]!;
    writer.head(11, sizeOfBundle(bundle));
    writeBundle(writer, bundle);
  }
}

/** Writes the Expr field of a bound variable with a small index, the most frequent one, in one go. */
function writesShortVariable(writer: TermWriter, v: Var): boolean {
  if (v.kind !== "BoundVar" || v.index < 0 || v.index > 63) return false;
  const { bytes, position } = writer;
  bytes[position] = 0x2a;
  bytes[position + 1] = 7;
  bytes[position + 2] = 0x9a;
  bytes[position + 3] = 0x01;
  bytes[position + 4] = 4;
  bytes[position + 5] = 0x0a;
  bytes[position + 6] = 2;
  bytes[position + 7] = 0x08;
  bytes[position + 8] = v.index << 1;
  writer.position = position + 9;
  return true;
}

function writeSend(writer: TermWriter, send: Send): void {
  writeEmbedded(writer, 1, send.chan);
  writeList(writer, 2, send.data);
  if (send.persistent) writer.flag(3);
  writeFlags(writer, 5, send.locallyFree, send.connectiveUsed);
}

function writeReceive(writer: TermWriter, receive: Receive): void {
  for (const bind of receive.binds) {
    writer.head(1, sizeOfReceiveBind(bind));
    writeReceiveBind(writer, bind);
  }
  writeEmbedded(writer, 2, receive.body);
  if (receive.persistent) writer.flag(3);
  if (receive.peek) writer.flag(4);
  writeCount(writer, 5, receive.bindCount);
  writeFlags(writer, 6, receive.locallyFree, receive.connectiveUsed);
}

function writeReceiveBind(writer: TermWriter, bind: ReceiveBind): void {
  writeList(writer, 1, bind.patterns);
  writeEmbedded(writer, 2, bind.source);
  writeRemainder(writer, 3, bind.remainder);
  writeCount(writer, 4, bind.freeCount);
}

function writeNew(writer: TermWriter, fresh: New): void {
  if (fresh.bindCount !== 0) {
    writer.varint(0x08);
    writer.sint32(fresh.bindCount);
  }
  writeEmbedded(writer, 2, fresh.p);
  for (const uri of fresh.uri) {
    writer.head(3, utf8Size(uri));
    writer.utf8(uri);
  }
  if (fresh.injections.size > 0) {
    for (const [urn, value] of fresh.injections) {
      writer.head(4, injectionSize(urn, value));
      writeInjection(writer, urn, value);
    }
  }
  writeFlags(writer, 5, fresh.locallyFree, false);
}

function writeInjection(writer: TermWriter, urn: string, value: Par): void {
  if (urn.length > 0) {
    writer.head(1, utf8Size(urn));
    writer.utf8(urn);
  }
  writer.head(2, sizeOfPar(value));
  writer.par(value);
}

function writeMatch(writer: TermWriter, match: Match): void {
  writeEmbedded(writer, 1, match.target);
  for (const one of match.cases) {
    writer.head(2, sizeOfMatchCase(one));
    writeEmbedded(writer, 1, one.pattern);
    writeEmbedded(writer, 2, one.source);
    writeCount(writer, 3, one.freeCount);
  }
  writeFlags(writer, 4, match.locallyFree, match.connectiveUsed);
}

function writeBundle(writer: TermWriter, bundle: Bundle): void {
  writeEmbedded(writer, 1, bundle.body);
  if (bundle.writeFlag) writer.flag(2);
  if (bundle.readFlag) writer.flag(3);
}

function writeUnforgeable(writer: TermWriter, unforgeable: Unforgeable): void {
  switch (unforgeable.kind) {
    case "GPrivate":
      writeBytesMessage(writer, 1, unforgeable.id);
      return;
    case "GDeployId":
      writeBytesMessage(writer, 2, unforgeable.signature);
      return;
    case "GDeployerId":
      writeBytesMessage(writer, 3, unforgeable.publicKey);
      return;
    case "GSysAuthToken":
      writer.head(4, 0);
      return;
    case "EmptyUnforgeable":
      return;
  }
}

/** A message with one `bytes` field, numbered 1. */
function writeBytesMessage(writer: TermWriter, field: number, content: Uint8Array): void {
  writer.head(field, bytesFieldSize(content));
  if (content.length === 0) return;
  writer.head(1, content.length);
  writer.raw(content);
}

function writeConnective(writer: TermWriter, connective: Connective): void {
  switch (connective.kind) {
    case "ConnectiveAnd":
    case "ConnectiveOr":
      writer.head(connective.kind === "ConnectiveAnd" ? 1 : 2, listSize(connective.ps));
      writeList(writer, 1, connective.ps);
      return;
    case "ConnectiveNot":
      writer.head(3, sizeOfPar(connective.body));
      writer.par(connective.body);
      return;
    case "VarRef":
      writer.head(4, varRefSize(connective.index, connective.depth));
      writeSint32(writer, 1, connective.index);
      writeSint32(writer, 2, connective.depth);
      return;
    case "ConnectiveType":
      writer.varint(connectiveTypeField[connective.typeName] << 3);
      writer.varint(connective.value ? 1 : 0);
      return;
    case "EmptyConnective":
      return;
  }
}

function writeSint32(writer: TermWriter, field: number, value: number): void {
  if (value === 0) return;
  writer.varint(field << 3);
  writer.sint32(value);
}
