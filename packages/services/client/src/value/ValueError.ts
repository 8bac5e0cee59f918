import { errorClass } from "@vedette/errors";

/** Why something is no Rholang value, or cannot be written as one. */
export type ValueFailure =
  | { readonly code: "notValue"; readonly what: string }
  | { readonly code: "notInteger"; readonly value: number }
  | { readonly code: "outOfRange"; readonly value: bigint }
  | { readonly code: "loneSurrogate" }
  | { readonly code: "emptyTuple" }
  | { readonly code: "badHex"; readonly text: string }
  | { readonly code: "badUri"; readonly uri: string }
  | { readonly code: "badKey"; readonly what: string }
  | { readonly code: "noSource"; readonly what: string }
  | { readonly code: "notWritten"; readonly what: string }
  | { readonly code: "tooDeep"; readonly limit: number }
  | { readonly code: "badJson"; readonly found: string }
  | { readonly code: "notInCode"; readonly place: string }
  | { readonly code: "unfinished"; readonly place: string };

/** A value has no form in Rholang, or not the requested one. @spec 20 §2.4, 50 §1.8 */
export class ValueError extends errorClass("ValueError", sentence) {}

function sentence(failure: ValueFailure): string {
  switch (failure.code) {
    case "notValue":
      return `There is no Rholang value for ${failure.what}; take null, booleans, integers, texts, Uint8Array, arrays, Map, Set, plain objects, RhoUri, RhoTuple, RhoUnforgeable or RhoPar`;
    case "notInteger":
      return `${failure.value} is no integer that a number holds exactly; Rholang has integers only, write large ones as bigint`;
    case "outOfRange":
      return `${failure.value} does not fit into the 64 bits of a Rholang integer`;
    case "loneSurrogate":
      return "The text holds one half of a surrogate pair, which has no form in UTF-8; clean it with toWellFormed()";
    case "emptyTuple":
      return "Rholang has no empty tuple; take a list or null (Nil)";
    case "badHex":
      return `"${short(failure.text)}" is not an even number of hexadecimal digits`;
    case "badUri":
      return `The URI "${short(failure.uri)}" cannot be written in a program: it holds a backtick or a backslash`;
    case "badKey":
      return `${failure.what} cannot be the key of a map in JSON; texts, integers, booleans, URIs, bytes and unforgeable names can`;
    case "noSource":
      return `${failure.what} cannot be written in a program; get it from the state, or from \`new\` with a URI`;
    case "notWritten":
      return `${failure.what} is a number of f1r3node networks that the client only reads; write it in the program text`;
    case "tooDeep":
      return `The value is nested more than ${failure.limit} deep, or contains itself`;
    case "badJson":
      return `${failure.found} is not the JSON of a Rholang value; expected an object such as {"ExprInt":{"data":1}} or {"type":"ExprInt","data":1}`;
    case "notInCode":
      return `A value is inside ${failure.place} of the program; put it outside: for texts, ${"$"}{"a" + b} instead of "a${"$"}{b}"`;
    case "unfinished":
      return `The program ends inside ${failure.place}; close it`;
  }
}

function short(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}
