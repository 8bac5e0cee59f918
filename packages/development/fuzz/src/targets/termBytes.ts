import { equalBytes } from "@vedette/crypto";
import {
  channelHash,
  DecodeError,
  decodeContinuation,
  decodeListParWithRandom,
  decodePar,
  encodeContinuation,
  encodeListParWithRandom,
  encodePar,
  equalPar,
  PrintError,
  printPar,
  sizeOfPar,
  sortPar,
  structuralHash,
} from "@vedette/terms";
import { must, refusedAs, type Target } from "../driver/Target.js";
import { compiled } from "./rholangText.js";
import { examplePrograms } from "./rholangWords.js";

/** The terms that a peer or a client may send. */
export const termBytes: Target = {
  name: "term-bytes",
  about: "any bytes are decoded to a term that is the same after encoding, or refused with a DecodeError",
  cost: "cheap",
  files: ["terms/wire/", "terms/order/", "terms/identity/", "terms/print/"],
  maxBytes: 512,
  *seeds() {
    for (const program of examplePrograms) {
      const par = compiled(program);
      if (par !== undefined) yield encodePar(par);
    }
  },
  run(input) {
    checkPar(input);
    stable(input, decodeListParWithRandom, encodeListParWithRandom);
    stable(input, decodeContinuation, encodeContinuation);
  },
  show: (input) => Buffer.from(input).toString("hex"),
};

function checkPar(input: Uint8Array): void {
  const par = stable(input, decodePar, encodePar);
  if (par === undefined) return;
  const bytes = encodePar(par);
  must(sizeOfPar(par) === bytes.length, "the size is that of the encoding");
  const again = decodePar(bytes);
  must(equalPar(par, again), "a term equals its decoded bytes");
  must(structuralHash(par) === structuralHash(again), "equal terms have one hash");
  must(equalBytes(channelHash(par), channelHash(again)), "a channel has one hash");
  const sorted = sortPar(par);
  must(equalBytes(encodePar(sorted), encodePar(sortPar(again))), "two decodings are sorted alike");
  must(equalBytes(encodePar(sortPar(decodePar(encodePar(sorted)))), encodePar(sorted)), "sorting twice is sorting");
  try {
    printPar(par);
  } catch (error) {
    refusedAs(error, PrintError);
  }
}

/** Returns the decoded value, if there is one. */
function stable<T>(
  input: Uint8Array,
  decode: (bytes: Uint8Array) => T,
  encode: (value: T) => Uint8Array,
): T | undefined {
  let value: T;
  try {
    value = decode(input);
  } catch (error) {
    refusedAs(error, DecodeError);
    return undefined;
  }
  const bytes = encode(value);
  must(equalBytes(encode(decode(bytes)), bytes), "decoding and encoding again changes nothing");
  return value;
}
