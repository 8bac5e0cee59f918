import { type Expr, Par, type Unforgeable } from "@vedette/terms";

/** A Par of one value. Quirk 61 §6.4: the value's facts about its variables are not taken over. */
export function parOf(expr: Expr): Par {
  return Par.of({ exprs: [expr] });
}

/** A Par of one unforgeable name. */
export function parOfName(name: Unforgeable): Par {
  return Par.of({ unforgeables: [name] });
}
