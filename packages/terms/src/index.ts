export { BincodeReader } from "./bincode/BincodeReader.js";
export { BincodeWriter } from "./bincode/BincodeWriter.js";
export { ParBuilder } from "./compose/ParBuilder.js";
export { parOfExpr, parOfUnforgeable } from "./compose/parOf.js";
export {
  hashedContinuation,
  hashedData,
  hashedPattern,
  readStoredBindPattern,
  readStoredContinuation,
  readStoredListParWithRandom,
  readStoredPar,
  rustTerms,
} from "./form/rustTerms.js";
export { scalaTerms } from "./form/scalaTerms.js";
export type { TermForm } from "./form/TermForm.js";
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
export { compareSortedBinds } from "./order/compare.js";
export { compareUtf8 } from "./order/compareUtf8.js";
export { makeMap } from "./order/makeMap.js";
export { makeSet } from "./order/makeSet.js";
export { compareScores, sortPar, sortReceiveBind } from "./order/sortPar.js";
export { noticingTies } from "./order/ties.js";
export { PrintError, type PrintFailure } from "./print/PrintError.js";
export type { PrintOptions } from "./print/PrintScope.js";
export { printExpr, printPar, printVar } from "./print/printTerm.js";
export { type HashedPart, hashOfParts } from "./rust/BincodeSink.js";
export { compareParFields } from "./rust/compareFields.js";
export { exprIndices, rustParOfExpr, uniteIndicesOf } from "./rust/exprIndices.js";
export { indicesOutside, oneIndex, uniteIndices } from "./rust/indexBytes.js";
export { printRustPar } from "./rust/print/printRustPar.js";
export { RustParBuilder } from "./rust/RustParBuilder.js";
export { rustElementsWith, rustEntriesWith } from "./rust/withItem.js";
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
