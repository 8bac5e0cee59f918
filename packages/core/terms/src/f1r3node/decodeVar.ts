import { boundVar, emptyVar, freeVar, type Var, wildcard } from "../model/Var.js";
import type { FieldSource } from "./FieldSource.js";

const varFields = [1, 2, 3];

/** @spec 61 §2 */
export function decodeVar(source: FieldSource): Var {
  switch (source.member(varFields)) {
    case 1:
      return boundVar(source.sint32(1));
    case 2:
      return freeVar(source.sint32(2));
    case 3:
      source.nothing(3);
      return wildcard;
    default:
      return emptyVar;
  }
}
