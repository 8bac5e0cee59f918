import type { Expr, KeyValuePair, Par } from "@vedette/terms";

/** Longer texts are cut: they only ever appear in an error message. */
const maxLength = 65536;

/**
 * An expression as rnode's own text form shows it in the messages of two errors. That form holds memory
 * addresses where there are sets or maps (zero here), so that it differs from run to run; of processes and
 * operators only the kind is shown.
 *
 * @spec 21 §5.3
 */
export function describeExpr(expr: Expr): string {
  const text = describe(expr, "Vector", maxLength);
  return text.length > maxLength ? `${text.slice(0, maxLength)}...` : text;
}

/** The class of the list that holds an item's expressions: evaluated items and sorted ones differ in it. */
type ListClass = "Vector" | "List";

function describe(expr: Expr, listClass: ListClass, room: number): string {
  switch (expr.kind) {
    case "GBool":
    case "GInt":
    case "GString":
    case "GUri":
      return `Expr(${expr.kind}(${expr.value}))`;
    case "EList": {
      const items = describeItems(expr.ps, listClass, room);
      return `Expr(EListBody(EList(List(${items}),AlwaysEqual(BitSet()),${expr.connectiveUsed},None)))`;
    }
    case "ETuple": {
      const items = describeItems(expr.ps, listClass, room);
      return `Expr(ETupleBody(ETuple(List(${items}),AlwaysEqual(BitSet()),${expr.connectiveUsed})))`;
    }
    case "ESet": {
      const items = describeItems(expr.ps, "List", room);
      return `Expr(ESetBody(ParSet(SortedParHashSet(${items}),${expr.connectiveUsed},Coeval.Map$0,None)))`;
    }
    case "EMap": {
      const entries = describeEntries(expr.kvs, room);
      return `Expr(EMapBody(ParMap(SortedParMap(${entries}),${expr.connectiveUsed},Coeval.Map$0,None)))`;
    }
    case "EmptyExpr":
      return "Expr(Empty)";
    default:
      return `Expr(${expr.kind})`;
  }
}

function describeItems(items: readonly Par[], listClass: ListClass, room: number): string {
  let text = "";
  for (const item of items) {
    if (text.length > room) break;
    text += `${text === "" ? "" : ", "}${describeItem(item, listClass, room - text.length)}`;
  }
  return text;
}

function describeEntries(entries: readonly KeyValuePair[], room: number): string {
  let text = "";
  for (const { key, value } of entries) {
    if (text.length > room) break;
    text += `${text === "" ? "" : ", "}(${describeItem(key, "List", room)},${describeItem(value, "List", room)})`;
  }
  return text;
}

function describeItem(item: Par, listClass: ListClass, room: number): string {
  const described = item.exprs.map((expr) => describe(expr, listClass, room)).join(", ");
  const exprs = described === "" ? "List()" : `${listClass}(${described})`;
  return `Par(List(),List(),List(),${exprs},List(),List(),List(),List(),AlwaysEqual(BitSet()),${item.connectiveUsed})`;
}
