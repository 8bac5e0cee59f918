import { blake2b256, equalBytes, toHex } from "@vedette/crypto";
import { f1r3nodeInterpreter, InterpreterError } from "@vedette/rholang";
import {
  BincodeReader,
  DecodeError,
  equalPar,
  f1r3nodeTerms,
  type Par,
  PrintError,
  printF1r3nodePar,
  readStoredPar,
  TermLimitError,
} from "@vedette/terms";
import { f1r3nodeSpace, LeafError } from "@vedette/tuplespace";
import { must, refusedAs, type Target } from "../driver/Target.js";
import { textTarget } from "../driver/textTarget.js";
import { examplePrograms, rholangWords } from "./rholangWords.js";

/** The words that only f1r3node's grammar has. */
const f1r3nodeOnlyWords = ["if (", " else ", " where ", "1.5", "1n", "1r", "1p2", "{| ", " |}", "f64", "!?(", "Set("];
const f1r3nodeTestPrograms = [
  "if (true) { Nil } else { @0!(1) }",
  "for (@x <- @0 where x > 1) { Nil }",
  "match 1 { x where x > 0 => Nil  _ => @0!(2) }",
  "@0!(1.5, 2n, 1r, 1p2, {| 1, [2, 3] |})",
];
const programs = [...examplePrograms, ...f1r3nodeTestPrograms];

/** Any text, by f1r3node's grammar. @spec 61 §4 */
export const f1r3nodeText = textTarget({
  name: "f1r3node-text",
  about: "any text is compiled by f1r3node's grammar to a canonical term, or refused with an interpreter error",
  cost: "cheap",
  files: ["rholang/f1r3node/", "terms/f1r3node/"],
  words: [...rholangWords, ...f1r3nodeOnlyWords],
  texts: () => programs,
  maxBytes: 1_024,
  check(text) {
    const par = compiled(text);
    if (par !== undefined) checkTerm(par);
  },
});

/** The terms that a peer or a client of f1r3node may send. @spec 61 §2, §5 */
export const f1r3nodeAnswerTerms: Target = {
  name: "f1r3node-terms",
  about: "any bytes are a term of f1r3node that is the same after encoding, or refused with a DecodeError",
  cost: "cheap",
  files: ["terms/f1r3node/", "terms/bincode/"],
  maxBytes: 512,
  *seeds() {
    for (const program of programs) {
      const par = compiled(program);
      if (par !== undefined) yield* [f1r3nodeTerms.encodePar(par), f1r3nodeTerms.storedPar(par)];
    }
  },
  run(input) {
    const sent = refusing(() => f1r3nodeTerms.decodePar(input));
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
    return f1r3nodeInterpreter.grammar.compile(text);
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
  const bytes = f1r3nodeTerms.encodePar(par);
  must(f1r3nodeTerms.sizeOfPar(par) === bytes.length, "the size is that of the encoding");
  const again = f1r3nodeTerms.decodePar(bytes);
  must(equalBytes(f1r3nodeTerms.encodePar(again), bytes), "a decoded term is encoded as it was");
  must(equalPar(par, again), "a term equals its decoded bytes");
  must(equalBytes(f1r3nodeTerms.channelHash(par), f1r3nodeTerms.channelHash(again)), "a channel has one hash");
  const stored = f1r3nodeTerms.storedPar(par);
  must(
    equalBytes(f1r3nodeTerms.storedPar(readStoredPar(new BincodeReader(stored))), stored),
    "what is stored stays so",
  );
  must(equalBytes(blake2b256(stored), f1r3nodeTerms.channelHash(par)), "a channel's hash is that of its stored bytes");
  const sorted = f1r3nodeTerms.sortPar(par);
  const twice = f1r3nodeTerms.sortPar(f1r3nodeTerms.decodePar(f1r3nodeTerms.encodePar(sorted)));
  must(equalBytes(f1r3nodeTerms.encodePar(twice), f1r3nodeTerms.encodePar(sorted)), "sorting twice is sorting");
  try {
    printF1r3nodePar(par);
  } catch (error) {
    refusedAs(error, PrintError);
  }
}

/** @spec 61 §2.2 */
function checkLeaf(input: Uint8Array): void {
  try {
    const leaf = f1r3nodeSpace.decodeLeaf(f1r3nodeSpace.leafHash(input), input);
    must(leaf.kind === f1r3nodeSpace.uncoveredKind?.(input), "a leaf is of one kind");
  } catch (error) {
    refusedAs(error, LeafError, DecodeError);
  }
}
