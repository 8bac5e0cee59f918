import type { AnyCase, AnyDeclaration, AnyProcess, AnyReceipt } from "./ProgramSource.js";

/** `where condition`, which the newer grammar alone has. @spec 61 §4 */
export function guardOf(guarded: AnyReceipt | AnyCase): AnyProcess | undefined {
  return "guard" in guarded ? guarded.guard : undefined;
}

/** Returns the values that a declaration of a `let` takes apart; in the newer grammar only the first counts. */
export function valuesOf(declaration: AnyDeclaration): readonly AnyProcess[] {
  return "values" in declaration ? declaration.values : [declaration.value, ...declaration.others];
}

/** How a receipt takes: the kind of its first bind decides. */
export function kindOf(receipt: AnyReceipt): "linear" | "repeated" | "peek" {
  return "kind" in receipt ? receipt.kind : receipt.binds[0]!.kind;
}
