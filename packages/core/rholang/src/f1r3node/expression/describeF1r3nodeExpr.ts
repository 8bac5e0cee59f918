import type { EPathMap, Expr, KeyValuePair, Par, Unforgeable, Var } from "@vedette/terms";
import { debugText } from "../debugText.js";

/** Longer texts are cut: they only ever appear in an error message. */
const maxLength = 65536;

/**
 * Returns an expression in f1r3node's own text form, as in the message of an undefined comparison. For processes and
 * operators only the kind is shown.
 *
 * @spec 61 §6.5
 */
export function describeF1r3nodeExpr(expr: Expr): string {
  const text = new Description().expr(expr);
  return text.length > maxLength ? `${text.slice(0, maxLength)}...` : text;
}

/** One text; what goes beyond its room is left out. */
class Description {
  private room = maxLength;

  expr(expr: Expr): string {
    return `Expr { expr_instance: Some(${this.instance(expr)}) }`;
  }

  private instance(expr: Expr): string {
    if (this.room < 0) return "..";
    this.room -= 40;
    switch (expr.kind) {
      case "GBool":
      case "GInt":
        return `${expr.kind}(${expr.value})`;
      case "GString":
      case "GUri":
        this.room -= expr.value.length;
        return `${expr.kind}(${debugText(expr.value)})`;
      case "GByteArray":
      case "GBigInt":
        this.room -= expr.value.length;
        return `${expr.kind}(${bytes(expr.value)})`;
      case "GDouble":
        return `GDouble(${expr.bits})`;
      case "GBigRational":
        return `GBigRat(GBigRational { numerator: ${bytes(expr.numerator)}, denominator: ${bytes(expr.denominator)} })`;
      case "GFixedPoint":
        return `GFixedPoint(GFixedPoint { unscaled: ${bytes(expr.unscaled)}, scale: ${expr.scale} })`;
      case "EList":
        return `EListBody(EList { ps: ${this.pars(expr.ps)}, ${flags(expr)}, remainder: ${variable(expr.remainder)} })`;
      case "ETuple":
        return `ETupleBody(ETuple { ps: ${this.pars(expr.ps)}, ${flags(expr)} })`;
      case "ESet":
        return `ESetBody(ESet { ps: ${this.pars(expr.ps)}, ${flags(expr)}, remainder: ${variable(expr.remainder)} })`;
      case "EMap":
        return `EMapBody(EMap { kvs: ${this.pairs(expr.kvs)}, ${flags(expr)}, remainder: ${variable(expr.remainder)} })`;
      case "EPathMap":
        return `EPathmapBody(${this.pathMap(expr)})`;
      case "EZipper": {
        const { pathMap, currentPath, isWriteZipper } = expr;
        const map = pathMap === undefined ? "None" : `Some(${this.pathMap(pathMap)})`;
        const path = `[${currentPath.map(bytes).join(", ")}]`;
        return `EZipperBody(EZipper { pathmap: ${map}, current_path: ${path}, is_write_zipper: ${isWriteZipper}, ${flags(expr)} })`;
      }
      default:
        return expr.kind;
    }
  }

  private pathMap(map: EPathMap): string {
    return `EPathMap { ps: ${this.pars(map.ps)}, ${flags(map)}, remainder: ${variable(map.remainder)} }`;
  }

  private pars(pars: readonly Par[]): string {
    return `[${pars.map((par) => this.par(par)).join(", ")}]`;
  }

  private pairs(pairs: readonly KeyValuePair[]): string {
    const each = pairs.map(
      ({ key, value }) => `KeyValuePair { key: Some(${this.par(key)}), value: Some(${this.par(value)}) }`,
    );
    return `[${each.join(", ")}]`;
  }

  private par(par: Par): string {
    const exprs = par.exprs.map((expr) => this.expr(expr)).join(", ");
    const names = par.unforgeables.map(unforgeable).join(", ");
    const lists = (count: number) => (count === 0 ? "[]" : "[..]");
    return (
      `Par { sends: ${lists(par.sends.length)}, receives: ${lists(par.receives.length)}, ` +
      `news: ${lists(par.news.length)}, exprs: [${exprs}], matches: ${lists(par.matches.length)}, ` +
      `unforgeables: [${names}], bundles: ${lists(par.bundles.length)}, ` +
      `connectives: ${lists(par.connectives.length)}, conditionals: ${lists(par.conditionals.length)}, ` +
      `locally_free: ${bytes(par.locallyFree)}, connective_used: ${par.connectiveUsed} }`
    );
  }
}

function bytes(value: Uint8Array): string {
  return `[${value.join(", ")}]`;
}

function flags(expr: { readonly locallyFree: Uint8Array; readonly connectiveUsed: boolean }): string {
  return `locally_free: ${bytes(expr.locallyFree)}, connective_used: ${expr.connectiveUsed}`;
}

function variable(v: Var | undefined): string {
  if (v === undefined) return "None";
  switch (v.kind) {
    case "BoundVar":
    case "FreeVar":
      return `Some(Var { var_instance: Some(${v.kind}(${v.index})) })`;
    default:
      return "Some(Var { var_instance: Some(Wildcard(WildcardMsg)) })";
  }
}

function unforgeable(name: Unforgeable): string {
  const instance = (text: string) => `GUnforgeable { unf_instance: Some(${text}) }`;
  switch (name.kind) {
    case "GPrivate":
      return instance(`GPrivateBody(GPrivate { id: ${bytes(name.id)} })`);
    case "GDeployId":
      return instance(`GDeployIdBody(GDeployId { sig: ${bytes(name.signature)} })`);
    case "GDeployerId":
      return instance(`GDeployerIdBody(GDeployerId { public_key: ${bytes(name.publicKey)} })`);
    default:
      return instance("GSysAuthTokenBody(GSysAuthToken)");
  }
}
