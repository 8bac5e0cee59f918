import { encodePar, GByteArray, parOfExpr, sizeOfPar } from "@vedette/terms";
import { substituteAndCharge } from "../substitute/substitute.js";
import type { Method } from "./Method.js";

/** `toByteArray()` of any process: its protobuf bytes. The size is charged twice. @spec 21 §6.3, 22 §4.5.1 */
export const toByteArray: Method = {
  arity: 0,
  run(evaluator, target) {
    const { env, phlo } = evaluator;
    const sorted = substituteAndCharge(evaluator.par(target), 0, env, phlo);
    phlo.charge(sizeOfPar(sorted));
    return parOfExpr(new GByteArray(encodePar(sorted)));
  },
};
