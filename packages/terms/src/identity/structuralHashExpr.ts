import type { Expr } from "../model/Expr.js";
import type { Var } from "../model/Var.js";
import { bytesHash, flagHash, longHash, mix, productSeed, sealed, textHash } from "./murmur.js";
import {
  keyValueHash,
  listHash,
  locallyFreeHash,
  pairOf,
  parsHash,
  remainderHash,
  singleHash,
  structuralHash,
  varHash,
} from "./structuralHash.js";

/** Hash of an Expr message: of the member of its oneof, wrapped twice. @spec 20 §11.2 */
export function exprHash(expr: Expr): number {
  return expr.kind === "EmptyExpr" ? singleHash(textHash("Empty")) : singleHash(singleHash(memberHash(expr)));
}

function memberHash(expr: Expr): number {
  switch (expr.kind) {
    case "GBool":
      return flagHash(expr.value);
    case "GInt":
      return longHash(expr.value);
    case "GString":
    case "GUri":
      return textHash(expr.value);
    case "GByteArray":
      return bytesHash(expr.value);
    case "EVar":
      return singleHash(varHash(expr.v));
    case "EUnary":
      return singleHash(structuralHash(expr.p));
    case "EBinary":
      return pairOf(structuralHash(expr.p1), structuralHash(expr.p2));
    case "EMatches":
      return pairOf(structuralHash(expr.target), structuralHash(expr.pattern));
    default:
      return collectionHash(expr);
  }
}

function collectionHash(expr: Expr): number {
  switch (expr.kind) {
    case "EList": {
      let h = mix(mix(productSeed, parsHash(expr.ps)), locallyFreeHash);
      h = mix(h, flagHash(expr.connectiveUsed));
      return sealed(mix(h, remainderHash(expr.remainder)), 4);
    }
    case "ETuple": {
      const h = mix(mix(productSeed, parsHash(expr.ps)), locallyFreeHash);
      return sealed(mix(h, flagHash(expr.connectiveUsed)), 3);
    }
    case "EMethod": {
      let h = mix(productSeed, textHash(expr.methodName));
      h = mix(h, structuralHash(expr.target));
      h = mix(h, parsHash(expr.args));
      h = mix(h, locallyFreeHash);
      return sealed(mix(h, flagHash(expr.connectiveUsed)), 5);
    }
    case "ESet":
      return javaHash(parsHash(expr.ps), expr.remainder, expr.connectiveUsed);
    case "EMap":
      return javaHash(listHash(expr.kvs, keyValueHash), expr.remainder, expr.connectiveUsed);
    default:
      return 0;
  }
}

/** Java's hash of three objects in a row. */
function javaHash(elements: number, remainder: Var | undefined, connectiveUsed: boolean): number {
  let h = (31 + elements) | 0;
  h = (Math.imul(h, 31) + remainderHash(remainder)) | 0;
  return (Math.imul(h, 31) + flagHash(connectiveUsed)) | 0;
}
