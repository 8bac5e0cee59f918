import type { Par } from "../../model/Par.js";
import { boundedText } from "../../print/boundedText.js";
import { RustPrinter } from "./RustPrinter.js";

/** The text of a term for people, as the newer node writes it. @spec 20 §14.3, 61 §5 @throws {PrintError} */
export function printRustPar(par: Par): string {
  return boundedText(() => new RustPrinter().par(par, 0));
}
