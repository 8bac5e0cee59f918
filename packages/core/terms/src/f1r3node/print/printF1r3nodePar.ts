import type { Par } from "../../model/Par.js";
import { boundedText } from "../../print/boundedText.js";
import type { PrintOptions } from "../../print/PrintScope.js";
import { F1r3nodePrinter } from "./F1r3nodePrinter.js";

/** The text of a term for people, as f1r3node writes it. @spec 20 §14.3, 61 §5 @throws {PrintError} */
export function printF1r3nodePar(par: Par, { freeShift, boundShift, trimAfter }: PrintOptions = {}): string {
  const text = boundedText(() => new F1r3nodePrinter(freeShift, boundShift).par(par, 0));
  return trimAfter === undefined ? text : `${text.slice(0, trimAfter)}...`;
}
