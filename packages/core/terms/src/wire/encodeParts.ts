import type { BitSet } from "../model/BitSet.js";
import type { Par } from "../model/Par.js";
import type { Var } from "../model/Var.js";
import { isDefaultPar, sizeOfPar, sizeOfVar } from "./size.js";
import type { TermWriter } from "./TermWriter.js";

/** An embedded Par: left out when it equals the default message. */
export function writeEmbedded(writer: TermWriter, field: number, par: Par): void {
  if (isDefaultPar(par)) return;
  writer.head(field, sizeOfPar(par));
  writer.par(par);
}

/** `repeated Par`: empty elements are written too. */
export function writeList(writer: TermWriter, field: number, pars: readonly Par[]): void {
  for (let i = 0; i < pars.length; i += 1) {
    const par = pars[i]!;
    writer.head(field, sizeOfPar(par));
    writer.par(par);
  }
}

/** `locallyFree` at a field and `connective_used` at the next. */
export function writeFlags(writer: TermWriter, field: number, locallyFree: BitSet, connectiveUsed: boolean): void {
  if (locallyFree.length > 0) {
    writer.head(field, locallyFree.length);
    writer.raw(locallyFree);
  }
  if (connectiveUsed) writer.flag(field + 1);
}

/** An optional Var: written whenever it is there. */
export function writeRemainder(writer: TermWriter, field: number, remainder: Var | undefined): void {
  if (remainder === undefined) return;
  writer.head(field, sizeOfVar(remainder));
  writeVar(writer, remainder);
}

/** Writes the fields of a variable. */
export function writeVar(writer: TermWriter, v: Var): void {
  switch (v.kind) {
    case "BoundVar":
      writer.varint(0x08);
      writer.sint32(v.index);
      return;
    case "FreeVar":
      writer.varint(0x10);
      writer.sint32(v.index);
      return;
    case "Wildcard":
      writer.head(3, 0);
      return;
    case "EmptyVar":
      return;
  }
}

/** An `int32` that is left out when 0. */
export function writeCount(writer: TermWriter, field: number, count: number): void {
  if (count === 0) return;
  writer.varint(field << 3);
  writer.int32(count);
}
