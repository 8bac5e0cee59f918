export { BincodeReader } from "./bincode/BincodeReader.js";
export { BincodeWriter } from "./bincode/BincodeWriter.js";
export { ParBuilder } from "./compose/ParBuilder.js";
export { parOfExpr, parOfUnforgeable } from "./compose/parOf.js";
export { type HashedPart, hashOfParts } from "./f1r3node/BincodeSink.js";
export { compareParFields } from "./f1r3node/compareFields.js";
export { exprIndices, f1r3nodeParOfExpr, uniteIndicesOf } from "./f1r3node/exprIndices.js";
export { F1r3nodeParBuilder } from "./f1r3node/F1r3nodeParBuilder.js";
export { indicesOutside, oneIndex, uniteIndices } from "./f1r3node/indexBytes.js";
export { printF1r3nodePar } from "./f1r3node/print/printF1r3nodePar.js";
export { f1r3nodeElementsWith, f1r3nodeEntriesWith } from "./f1r3node/withItem.js";
export {
  f1r3nodeTerms,
  hashedContinuation,
  hashedData,
  hashedPattern,
  readStoredBindPattern,
  readStoredContinuation,
  readStoredListParWithRandom,
  readStoredPar,
} from "./form/f1r3nodeTerms.js";
export { rnodeTerms } from "./form/rnodeTerms.js";
export type { TermCodec } from "./form/TermCodec.js";
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
export { type BitSet, bitsBelow, emptyBitSet, hasBit, shiftBitsDown, singleBit, unionBits } from "./model/BitSet.js";
export { doubleOf, integerOf } from "./model/numberOf.js";
export { GBigInt, GBigRational, GDouble, GFixedPoint } from "./model/numbers.js";
export {
  absentPar,
  type BinaryOperator,
  Bundle,
  type Connective,
  ConnectiveAnd,
  ConnectiveNot,
  ConnectiveOr,
  ConnectiveType,
  type ConnectiveTypeName,
  EBinary,
  EList,
  EMap,
  EMatches,
  EMethod,
  EmptyConnective,
  EmptyExpr,
  EPathMap,
  ESet,
  ETuple,
  EUnary,
  EVar,
  type Expr,
  EZipper,
  emptyConnective,
  emptyExpr,
  GBool,
  GByteArray,
  GInt,
  GString,
  GUri,
  If,
  isNil,
  type KeyValuePair,
  Match,
  MatchCase,
  New,
  nil,
  noInjections,
  none,
  Par,
  type ParFields,
  Receive,
  ReceiveBind,
  Send,
  type UnaryOperator,
  VarRef,
} from "./model/Par.js";
export {
  BindPattern,
  EmptyContinuation,
  emptyContinuation,
  ListParWithRandom,
  ParContinuation,
  ParWithRandom,
  SystemContinuation,
  type TaggedContinuation,
} from "./model/Tagged.js";
export {
  checkPartCount,
  checkTermSize,
  checkTextLength,
  TermLimitError,
  type TermLimitFailure,
  type TermLimits,
  widestTermLimits,
  withTermLimits,
} from "./model/TermLimitError.js";
export {
  EmptyUnforgeable,
  emptyUnforgeable,
  GDeployerId,
  GDeployId,
  GPrivate,
  GSysAuthToken,
  sysAuthToken,
  type Unforgeable,
} from "./model/Unforgeable.js";
export {
  absentVar,
  BoundVar,
  boundVar,
  EmptyVar,
  emptyVar,
  FreeVar,
  freeVar,
  type Var,
  Wildcard,
  wildcard,
} from "./model/Var.js";
export { countingWork, countWork } from "./model/work.js";
export { ascendingAs } from "./order/ascending.js";
export { elementsWithoutOthers, entriesWithoutOthers, unitedElements, unitedEntries } from "./order/combine.js";
export { compareSortedBinds } from "./order/compare.js";
export { f1r3nodeAtoms, rnodeAtoms } from "./order/compareAtoms.js";
export { compareUtf8 } from "./order/compareUtf8.js";
export { makeMap } from "./order/makeMap.js";
export { makeSet } from "./order/makeSet.js";
export { compareScores, sortPar, sortReceiveBind } from "./order/sortPar.js";
export { detectTies } from "./order/ties.js";
export { PrintError, type PrintFailure } from "./print/PrintError.js";
export type { PrintOptions } from "./print/PrintScope.js";
export { printExpr, printPar, printVar } from "./print/printTerm.js";
export { DecodeError, type DecodeFailure } from "./wire/DecodeError.js";
export { type DecodeLimits, defaultDecodeLimits } from "./wire/DecodeLimits.js";
export { decodePar } from "./wire/decode.js";
export { decodeBindPattern, decodeContinuation, decodeListParWithRandom } from "./wire/decodeTagged.js";
export { encodePar, ParWriter } from "./wire/encode.js";
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
export type { TermWriter } from "./wire/TermWriter.js";
