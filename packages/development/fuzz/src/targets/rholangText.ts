import { RholangTerm, ValueError } from "@vedette/client";
import { equalBytes } from "@vedette/crypto";
import { compile, InterpreterError } from "@vedette/rholang";
import { decodePar, encodePar, type Par, PrintError, printPar, sizeOfPar, sortPar } from "@vedette/terms";
import { must, refusedAs } from "../driver/Target.js";
import { textTarget } from "../driver/textTarget.js";
import { examplePrograms, rholangWords } from "./rholangWords.js";

/** Any text: it compiles to a canonical term that survives all that is done with terms, or is refused in words. */
export const rholangText = textTarget({
  name: "rholang-text",
  about: "any text is compiled to a canonical term or refused with an interpreter error",
  cost: "cheap",
  files: ["rholang/syntax/", "rholang/normalize/", "rholang/compile.js", "rholang/InterpreterError.js"],
  words: rholangWords,
  texts: () => examplePrograms,
  maxBytes: 1_024,
  check: (text) => {
    const par = compiled(text);
    if (par === undefined) return;
    checkCanonical(par);
    checkEmbedded(text, par);
    // An overflow is an interpreter error, and so is what a print cannot hold.
    try {
      printPar(par);
    } catch (error) {
      refusedAs(error, PrintError);
    }
  },
});

/** `undefined` where the text is refused. */
export function compiled(text: string): Par | undefined {
  try {
    return compile(text);
  } catch (error) {
    refusedAs(error, InterpreterError);
    must((error as Error).message.length < 20_000, "a refusal is no longer than a page");
    return undefined;
  }
}

export function checkCanonical(par: Par): void {
  const bytes = encodePar(par);
  must(sizeOfPar(par) === bytes.length, "the size is that of the encoding");
  const decoded = decodePar(bytes);
  must(equalBytes(encodePar(decoded), bytes), "a decoded term is encoded as it was");
  must(equalBytes(encodePar(sortPar(decoded)), bytes), "a compiled term is sorted");
}

/** A text that the client accepts as a whole program means the same inside another one. */
function checkEmbedded(text: string, par: Par): void {
  let term: RholangTerm;
  try {
    term = new RholangTerm(text);
  } catch (error) {
    refusedAs(error, ValueError);
    return;
  }
  const inside = compiled(`{${term.text}}`);
  must(inside !== undefined, "a whole program is valid between braces");
  must(equalBytes(encodePar(inside), encodePar(par)), "braces around a program change nothing");
}
