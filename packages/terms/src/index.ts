export type { BitSet } from "./model/BitSet.js";
export {
  bitMembers,
  bitSetFromBytes,
  bitSetOf,
  bitsBelow,
  emptyBitSet,
  hasBit,
  shiftBitsDown,
  singleBit,
  unionBits,
} from "./model/BitSet.js";
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
export { isNil, nil, Par } from "./model/Par.js";
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
export { BoundVar, EmptyVar, emptyVar, FreeVar, Wildcard, wildcard } from "./model/Var.js";
