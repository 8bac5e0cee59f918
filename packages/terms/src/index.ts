export { ParBuilder } from "./compose/ParBuilder.js";
export { parOfExpr, parOfUnforgeable } from "./compose/parOf.js";
export { channelHash } from "./identity/channelHash.js";
export {
  equalBundle,
  equalExpr,
  equalMatch,
  equalNew,
  equalPar,
  equalPars,
  equalReceive,
  equalReceiveBind,
  equalSend,
  equalUnforgeable,
} from "./identity/equal.js";
export { anyConnectiveUsed, exprConnectiveUsed, exprLocallyFree, unionOfLocallyFree } from "./identity/locallyFree.js";
export { structuralHash } from "./identity/structuralHash.js";
export type { BitSet } from "./model/BitSet.js";
export { bitsBelow, emptyBitSet, hasBit, shiftBitsDown, singleBit, unionBits } from "./model/BitSet.js";
export { Bundle } from "./model/Bundle.js";
export type { KeyValuePair } from "./model/Collection.js";
export { EMap, ESet } from "./model/Collection.js";
export type { Connective, ConnectiveTypeName } from "./model/Connective.js";
export {
  ConnectiveAnd,
  ConnectiveNot,
  ConnectiveOr,
  ConnectiveType,
  EmptyConnective,
  emptyConnective,
  VarRef,
} from "./model/Connective.js";
export type { BinaryOperator, Expr, UnaryOperator } from "./model/Expr.js";
export {
  EBinary,
  EList,
  EMatches,
  EMethod,
  EmptyExpr,
  ETuple,
  EUnary,
  EVar,
  emptyExpr,
  GBool,
  GByteArray,
  GInt,
  GString,
  GUri,
} from "./model/Expr.js";
export { Match, MatchCase } from "./model/Match.js";
export { New, noInjections } from "./model/New.js";
export type { ParFields } from "./model/Par.js";
export { isNil, nil, none, Par } from "./model/Par.js";
export { Receive, ReceiveBind } from "./model/Receive.js";
export { Send } from "./model/Send.js";
export type { TaggedContinuation } from "./model/Tagged.js";
export {
  BindPattern,
  EmptyContinuation,
  emptyContinuation,
  ListParWithRandom,
  ParContinuation,
  ParWithRandom,
  SystemContinuation,
} from "./model/Tagged.js";
export type { TermLimitFailure } from "./model/TermLimitError.js";
export {
  checkPartCount,
  checkTermSize,
  checkTextLength,
  TermLimitError,
  type TermLimits,
  widestTermLimits,
  withTermLimits,
} from "./model/TermLimitError.js";
export type { Unforgeable } from "./model/Unforgeable.js";
export {
  EmptyUnforgeable,
  emptyUnforgeable,
  GDeployerId,
  GDeployId,
  GPrivate,
  GSysAuthToken,
  sysAuthToken,
} from "./model/Unforgeable.js";
export type { Var } from "./model/Var.js";
export { BoundVar, boundVar, EmptyVar, emptyVar, FreeVar, freeVar, Wildcard, wildcard } from "./model/Var.js";
export { countingWork, countWork } from "./model/work.js";
export { compareSortedBinds } from "./order/compare.js";
export { makeMap } from "./order/makeMap.js";
export { makeSet } from "./order/makeSet.js";
export { compareScores, sortPar, sortReceiveBind } from "./order/sortPar.js";
export type { PrintFailure } from "./print/PrintError.js";
export { PrintError } from "./print/PrintError.js";
export type { PrintOptions } from "./print/PrintScope.js";
export { printExpr, printPar, printVar } from "./print/printTerm.js";
export type { DecodeFailure } from "./wire/DecodeError.js";
export { DecodeError } from "./wire/DecodeError.js";
export { decodePar } from "./wire/decode.js";
export { decodeBindPattern, decodeContinuation, decodeListParWithRandom } from "./wire/decodeTagged.js";
export { encodePar } from "./wire/encode.js";
export {
  encodeBindPattern,
  encodeContinuation,
  encodeListParWithRandom,
  sizeOfBindPattern,
  sizeOfContinuation,
  sizeOfListParWithRandom,
  writeBindPattern,
  writeContinuation,
  writeListParWithRandom,
} from "./wire/encodeTagged.js";
export { sizeOfPar } from "./wire/size.js";
export type { DecodeLimits } from "./wire/TermReader.js";
export { defaultDecodeLimits } from "./wire/TermReader.js";
export { TermWriter } from "./wire/TermWriter.js";
