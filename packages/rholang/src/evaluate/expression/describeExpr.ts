import type { Expr, KeyValuePair, Par } from "@vedette/terms";

/** Longer texts are cut: they only ever stand in an error message. */
const maxLength = 65536;

/**
 * An expression as the reference's own text form shows it in the messages of two errors. What that form says about
 * sets, maps, unevaluated operators and processes differs from run to run, and is only hinted at here.
 *
 * @spec 21 §5.3
 */
export function describeExpr(expr: Expr): string {
  const text = describe(expr, maxLength);
  return text.length > maxLength ? `${text.slice(0, maxLength)}...` : text;
}

function describe(expr: Expr, room: number): string {
  switch (expr.kind) {
    case "GBool":
    case "GInt":
    case "GString":
    case "GUri":
      return `Expr(${expr.kind}(${expr.value}))`;
    case "EList":
      return `Expr(EListBody(EList(List(${describeItems(expr.ps, room)}),AlwaysEqual(BitSet()),${expr.connectiveUsed},None)))`;
    case "ETuple":
      return `Expr(ETupleBody(ETuple(List(${describeItems(expr.ps, room)}),AlwaysEqual(BitSet()),${expr.connectiveUsed})))`;
    case "ESet":
      return `Expr(ESetBody(ParSet(SortedParHashSet(${describeItems(expr.ps, room)}))))`;
    case "EMap":
      return `Expr(EMapBody(ParMap(${describeEntries(expr.kvs, room)})))`;
    case "EmptyExpr":
      return "Expr(Empty)";
    default:
      return `Expr(${expr.kind})`;
  }
}

function describeItems(items: readonly Par[], room: number): string {
  let text = "";
  for (const item of items) {
    if (text.length > room) break;
    text += text === "" ? describeItem(item, room) : `, ${describeItem(item, room - text.length)}`;
  }
  return text;
}

function describeEntries(entries: readonly KeyValuePair[], room: number): string {
  let text = "";
  for (const { key, value } of entries) {
    if (text.length > room) break;
    text += `${text === "" ? "" : ", "}${describeItem(key, room)} -> ${describeItem(value, room)}`;
  }
  return text;
}

function describeItem(item: Par, room: number): string {
  const exprs = item.exprs.length === 0 ? "List()" : `Vector(${item.exprs.map((e) => describe(e, room)).join(", ")})`;
  return `Par(List(),List(),List(),${exprs},List(),List(),List(),List(),AlwaysEqual(BitSet()),${item.connectiveUsed})`;
}
