import type { BinaryOperator, Connective, Expr, New, Par, Receive, ReceiveBind } from "../model/Par.js";
import type { Unforgeable } from "../model/Unforgeable.js";
import type { Var } from "../model/Var.js";
import { sortPar } from "../order/sortPar.js";

/**
 * Score trees as the specification writes them down, for tests alone: the order that the product works out
 * without building trees is compared with the order of these.
 */
export type Tree = bigint | string | Uint8Array | readonly Tree[];

/** The score tree of a sorted term. @spec 20 §9.3 */
export function scoreOf(par: Par): Tree {
  return [
    999n,
    ...par.sends.map((send) => [
      300n,
      bit(send.persistent),
      scoreOf(send.chan),
      ...send.data.map(scoreOf),
      bit(send.connectiveUsed),
    ]),
    ...par.receives.map(receiveScore),
    ...par.exprs.map(exprScore),
    ...par.news.map(newScore),
    ...par.matches.map((match) => [
      304n,
      scoreOf(match.target),
      ...match.cases.map((one) => [scoreOf(one.pattern), scoreOf(one.source), BigInt(one.freeCount)]),
      bit(match.connectiveUsed),
    ]),
    ...par.bundles.map((bundle) => [305n + bit(bundle.readFlag) + 2n * bit(bundle.writeFlag), scoreOf(bundle.body)]),
    ...par.connectives.map(connectiveScore),
    ...par.unforgeables.map(unforgeableScore),
    bit(par.connectiveUsed),
  ];
}

/** @spec 20 §9.1 */
export function compareTrees(left: Tree, right: Tree): number {
  const byRank = rank(left) - rank(right);
  if (byRank !== 0) return byRank;
  if (left instanceof Uint8Array) return compareLists(signed(left), signed(right as Uint8Array), (a, b) => a - b);
  if (typeof left === "object") return compareLists(left, right as readonly Tree[], compareTrees);
  if (left === right) return 0;
  return left < (right as typeof left) ? -1 : 1;
}

function compareLists<Element>(
  left: readonly Element[],
  right: readonly Element[],
  compare: (left: Element, right: Element) => number,
): number {
  for (let i = 0; i < left.length && i < right.length; i += 1) {
    const order = compare(left[i]!, right[i]!);
    if (order !== 0) return order;
  }
  return left.length - right.length;
}

function rank(tree: Tree): number {
  if (typeof tree === "bigint") return 0;
  if (typeof tree === "string") return 1;
  return tree instanceof Uint8Array ? 2 : 3;
}

function signed(bytes: Uint8Array): number[] {
  return [...new Int8Array(bytes)];
}

function bit(flag: boolean): bigint {
  return flag ? 1n : 0n;
}

function receiveScore(receive: Receive): Tree {
  return [
    301n,
    bit(receive.persistent),
    bit(receive.peek),
    ...receive.binds.map(bindScore),
    scoreOf(receive.body),
    BigInt(receive.bindCount),
    bit(receive.connectiveUsed),
  ];
}

/** @spec 20 §9.3 */
function bindScore(bind: ReceiveBind): Tree {
  return [
    scoreOf(bind.source),
    ...bind.patterns.map(scoreOf),
    bind.remainder === undefined ? 0n : varScore(bind.remainder),
  ];
}

function newScore(fresh: New): Tree {
  const uris: Tree[] = fresh.uri.length === 0 ? [0n] : [...fresh.uri];
  const values = [...fresh.injections].map(([urn, value]): Tree => [urn, scoreOf(sortPar(value))]);
  return [303n, BigInt(fresh.bindCount), ...uris, ...(values.length === 0 ? [0n] : values), scoreOf(fresh.p)];
}

function varScore(v: Var): Tree {
  if (v.kind === "BoundVar") return [50n, BigInt(v.index)];
  if (v.kind === "FreeVar") return [51n, BigInt(v.index)];
  return v.kind === "Wildcard" ? [52n] : 0n;
}

function connectiveScore(connective: Connective): Tree {
  switch (connective.kind) {
    case "ConnectiveAnd":
      return [401n, ...connective.ps.map(scoreOf)];
    case "ConnectiveOr":
      return [402n, ...connective.ps.map(scoreOf)];
    case "ConnectiveNot":
      return [400n, scoreOf(connective.body)];
    case "VarRef":
      return [403n, BigInt(connective.index), BigInt(connective.depth)];
    case "ConnectiveType":
      return [
        404n + BigInt(["Bool", "Int", "String", "Uri", "ByteArray"].indexOf(connective.typeName)),
        bit(connective.value),
      ];
    case "EmptyConnective":
      return 0n;
  }
}

function unforgeableScore(unforgeable: Unforgeable): Tree {
  switch (unforgeable.kind) {
    case "GPrivate":
      return [5n, unforgeable.id];
    case "GDeployerId":
      return [10n, unforgeable.publicKey];
    case "GDeployId":
      return [11n, unforgeable.signature];
    case "GSysAuthToken":
      return [12n];
    case "EmptyUnforgeable":
      return [0n];
  }
}

const operatorScore: Readonly<Record<BinaryOperator, bigint>> = {
  EMult: 102n,
  EDiv: 103n,
  EPlus: 104n,
  EMinus: 105n,
  ELt: 106n,
  ELte: 107n,
  EGt: 108n,
  EGte: 109n,
  EEq: 110n,
  ENeq: 111n,
  EAnd: 113n,
  EOr: 114n,
  EPercentPercent: 119n,
  EPlusPlus: 120n,
  EMinusMinus: 121n,
  EMod: 122n,
};

function exprScore(expr: Expr): Tree {
  switch (expr.kind) {
    case "GBool":
      return [1n, bit(!expr.value)];
    case "GInt":
      return [2n, expr.value];
    case "GString":
      return [3n, expr.value];
    case "GUri":
      return [4n, expr.value];
    case "GByteArray":
      return [116n, expr.value];
    case "EVar":
      return [100n, varScore(expr.v)];
    case "EUnary":
      return [expr.operator === "ENeg" ? 101n : 112n, scoreOf(expr.p)];
    case "EBinary":
      return [operatorScore[expr.operator], scoreOf(expr.p1), scoreOf(expr.p2)];
    case "EMatches":
      return [118n, scoreOf(expr.target), scoreOf(expr.pattern)];
    case "EMethod":
      return [115n, expr.methodName, scoreOf(expr.target), ...expr.args.map(scoreOf), bit(expr.connectiveUsed)];
    case "EmptyExpr":
      return [0n];
    default:
      return collectionScore(expr);
  }
}

function collectionScore(expr: Expr): Tree {
  switch (expr.kind) {
    case "EList":
      return [6n, remainderScore(expr.remainder), ...expr.ps.map(scoreOf), bit(expr.connectiveUsed)];
    case "ETuple":
      return [7n, ...expr.ps.map(scoreOf), bit(expr.connectiveUsed)];
    case "ESet":
      return [8n, remainderScore(expr.remainder), ...expr.ps.map(scoreOf), bit(expr.connectiveUsed)];
    case "EMap":
      return [
        9n,
        remainderScore(expr.remainder),
        ...expr.kvs.map((pair) => scoreOf(pair.key)),
        bit(expr.connectiveUsed),
      ];
    default:
      throw new Error(expr.kind);
  }
}

function remainderScore(remainder: Var | undefined): Tree {
  return remainder === undefined ? -1n : varScore(remainder);
}
