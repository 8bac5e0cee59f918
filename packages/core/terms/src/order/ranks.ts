import type { BinaryOperator, Bundle, Connective, Expr, Par } from "../model/Par.js";
import type { Unforgeable } from "../model/Unforgeable.js";

/** The constant at the head of the score of one element of a list; -1 for a leaf, which is below every node. */
export function rankAt(par: Par, group: number, index: number): number {
  switch (group) {
    case 0:
      return 300;
    case 1:
      return 301;
    case 2:
      return exprRank(par.exprs[index]!);
    case 3:
      return 303;
    case 4:
      return 304;
    case 5:
      return bundleRank(par.bundles[index]!);
    case 6:
      return connectiveRank(par.connectives[index]!);
    case 7:
      return unforgeableRank(par.unforgeables[index]!);
    default:
      return 309;
  }
}

/** The rank of what comes first after a list: the head of a later list, or the flag at the end. */
export function rankAfter(par: Par, group: number): number {
  if (group < 1 && par.receives.length > 0) return 301;
  if (group < 2 && par.exprs.length > 0) return exprRank(par.exprs[0]!);
  if (group < 3 && par.news.length > 0) return 303;
  if (group < 4 && par.matches.length > 0) return 304;
  if (group < 5 && par.bundles.length > 0) return bundleRank(par.bundles[0]!);
  if (group < 6 && par.connectives.length > 0) return connectiveRank(par.connectives[0]!);
  if (group < 7 && par.unforgeables.length > 0) return unforgeableRank(par.unforgeables[0]!);
  if (group < 8 && par.conditionals.length > 0) return 309;
  return -1;
}

const binaryRank: Readonly<Record<BinaryOperator, number>> = {
  EMult: 102,
  EDiv: 103,
  EPlus: 104,
  EMinus: 105,
  ELt: 106,
  ELte: 107,
  EGt: 108,
  EGte: 109,
  EEq: 110,
  ENeq: 111,
  EAnd: 113,
  EOr: 114,
  EPercentPercent: 119,
  EPlusPlus: 120,
  EMinusMinus: 121,
  EMod: 122,
};

/** The constant at the head of an expression's score. @spec 20 §9.2, §9.3 */
export function exprRank(expr: Expr): number {
  switch (expr.kind) {
    case "EVar":
      return 100;
    case "GInt":
      return 2;
    case "GString":
      return 3;
    case "GUri":
      return 4;
    case "GBool":
      return 1;
    case "GByteArray":
      return 116;
    case "EList":
      return 6;
    case "ETuple":
      return 7;
    case "ESet":
      return 8;
    case "EMap":
      return 9;
    case "EMethod":
      return 115;
    case "EBinary":
      return binaryRank[expr.operator];
    case "EUnary":
      return expr.operator === "ENeg" ? 101 : 112;
    case "EMatches":
      return 118;
    case "EPathMap":
      return 13;
    case "EZipper":
    case "GDouble":
      return 14;
    case "GBigInt":
      return 15;
    case "GBigRational":
      return 16;
    case "GFixedPoint":
      return 17;
    case "EmptyExpr":
      return 0;
  }
}

/** The constant at the head of a bundle's score. @spec 20 §9.3 */
export function bundleRank(bundle: Bundle): number {
  if (bundle.writeFlag) return bundle.readFlag ? 308 : 307;
  return bundle.readFlag ? 306 : 305;
}

const connectiveTypeRank = { Bool: 404, Int: 405, String: 406, Uri: 407, ByteArray: 408 } as const;

/** The constant at the head of a connective's score. @spec 20 §9.3 */
export function connectiveRank(connective: Connective): number {
  switch (connective.kind) {
    case "ConnectiveNot":
      return 400;
    case "ConnectiveAnd":
      return 401;
    case "ConnectiveOr":
      return 402;
    case "VarRef":
      return 403;
    case "ConnectiveType":
      return connectiveTypeRank[connective.typeName];
    case "EmptyConnective":
      return -1;
  }
}

/** The constant at the head of an unforgeable name's score. @spec 20 §9.3 */
export function unforgeableRank(unforgeable: Unforgeable): number {
  switch (unforgeable.kind) {
    case "GPrivate":
      return 5;
    case "GDeployerId":
      return 10;
    case "GDeployId":
      return 11;
    case "GSysAuthToken":
      return 12;
    case "EmptyUnforgeable":
      return 0;
  }
}
