import { blake2b256, equalBytes, toHex } from "@vedette/crypto";
import { InterpreterError, rustInterpreter } from "@vedette/rholang";
import {
  BincodeReader,
  DecodeError,
  equalPar,
  type Par,
  PrintError,
  printRustPar,
  readStoredPar,
  rustTerms,
  TermLimitError,
} from "@vedette/terms";
import { LeafError, rustSpace } from "@vedette/tuplespace";
import { must, refusedAs, type Target } from "../driver/Target.js";
import { textTarget } from "../driver/textTarget.js";
import { examplePrograms, rholangWords } from "./rholangWords.js";

/** What only the newer node's grammar has. */
const newerWords = ["if (", " else ", " where ", "1.5", "1n", "1r", "1p2", "{| ", " |}", "f64", "!?(", "Set("];
const newerPrograms = [
  "if (true) { Nil } else { @0!(1) }",
  "for (@x <- @0 where x > 1) { Nil }",
  "match 1 { x where x > 0 => Nil  _ => @0!(2) }",
  "@0!(1.5, 2n, 1r, 1p2, {| 1, [2, 3] |})",
];
const programs = [...examplePrograms, ...newerPrograms];

/** Any text, by the newer node's grammar. @spec 61 §4 */
export const newerText = textTarget({
  name: "newer-text",
  about: "any text is compiled by the newer node's grammar to a canonical term, or refused with an interpreter error",
  cost: "cheap",
  files: ["rholang/rust/", "terms/rust/"],
  words: [...rholangWords, ...newerWords],
  texts: () => programs,
  mostBytes: 1_024,
  check(text) {
    const par = compiled(text);
    if (par !== undefined) checkTerm(par);
  },
});

/** What a peer or a client of the newer dialect may send as a term. @spec 61 §2, §5 */
export const newerTerms: Target = {
  name: "newer-terms",
  about: "any bytes are a term of the newer dialect that is the same after encoding, or refused with a DecodeError",
  cost: "cheap",
  files: ["terms/rust/", "terms/bincode/"],
  mostBytes: 512,
  *seeds() {
    for (const program of programs) {
      const par = compiled(program);
      if (par !== undefined) yield* [rustTerms.encodePar(par), rustTerms.storedPar(par)];
    }
  },
  run(input) {
    const sent = refusing(() => rustTerms.decodePar(input));
    if (sent !== undefined) checkTerm(sent);
    const stored = refusing(() => readStoredPar(new BincodeReader(input)));
    if (stored !== undefined) checkTerm(stored);
    checkLeaf(input);
  },
  show: toHex,
};

/** `undefined` where the text is refused. */
function compiled(text: string): Par | undefined {
  try {
    return rustInterpreter.grammar.compile(text);
  } catch (error) {
    // Numbers may have a million digits; more is beyond this machine.
    refusedAs(error, InterpreterError, TermLimitError);
    must((error as Error).message.length < 20_000, "a refusal is no longer than a page");
    return undefined;
  }
}

function refusing(read: () => Par): Par | undefined {
  try {
    return read();
  } catch (error) {
    refusedAs(error, DecodeError);
    return undefined;
  }
}

function checkTerm(par: Par): void {
  const bytes = rustTerms.encodePar(par);
  must(rustTerms.sizeOfPar(par) === bytes.length, "the size is that of the encoding");
  const again = rustTerms.decodePar(bytes);
  must(equalBytes(rustTerms.encodePar(again), bytes), "a decoded term is encoded as it was");
  must(equalPar(par, again), "a term equals what its bytes say");
  must(equalBytes(rustTerms.channelHash(par), rustTerms.channelHash(again)), "a channel has one hash");
  const stored = rustTerms.storedPar(par);
  must(equalBytes(rustTerms.storedPar(readStoredPar(new BincodeReader(stored))), stored), "what is stored stays so");
  must(equalBytes(blake2b256(stored), rustTerms.channelHash(par)), "a channel's hash is that of its stored bytes");
  const sorted = rustTerms.sortPar(par);
  const twice = rustTerms.sortPar(rustTerms.decodePar(rustTerms.encodePar(sorted)));
  must(equalBytes(rustTerms.encodePar(twice), rustTerms.encodePar(sorted)), "sorting twice is sorting");
  try {
    printRustPar(par);
  } catch (error) {
    refusedAs(error, PrintError);
  }
}

/** @spec 61 §2.2 */
function checkLeaf(input: Uint8Array): void {
  try {
    const leaf = rustSpace.decodeLeaf(rustSpace.leafHash(input), input);
    must(leaf.kind === rustSpace.uncoveredKind?.(input), "a leaf is of one kind");
  } catch (error) {
    refusedAs(error, LeafError, DecodeError);
  }
}
