import type { Par } from "../../model/Par.js";
import { boundedText } from "../../print/boundedText.js";
import type { PrintOptions } from "../../print/PrintScope.js";
import { RustPrinter } from "./RustPrinter.js";

/** The text of a term for people, as the newer node writes it. @spec 20 §14.3, 61 §5 @throws {PrintError} */
export function printRustPar(par: Par, { freeShift, boundShift, trimAfter }: PrintOptions = {}): string {
  const text = boundedText(() => new RustPrinter(freeShift, boundShift).par(par, 0));
  return trimAfter === undefined ? text : `${text.slice(0, trimAfter)}...`;
}
