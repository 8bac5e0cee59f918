import { toHex } from "@vedette/crypto";
import { GString, type Par, parOfExpr, type Unforgeable } from "@vedette/terms";
import { InterpreterError, reduceError } from "../../InterpreterError.js";
import { unforgeableTypeName } from "../expression/typeName.js";
import type { Method } from "./Method.js";

/** `toString()` of a deploy id: its signature in hex. @spec 21 §6.3 */
export const toText: Method = {
  arity: 0,
  run(_evaluator, target) {
    const name = singleUnforgeable(target);
    if (name.kind === "GDeployId") return parOfExpr(new GString(toHex(name.signature)));
    throw new InterpreterError({
      class: "MethodNotDefined",
      method: "toString",
      otherType: unforgeableTypeName(name),
    });
  },
};

/** @spec 21 §5.1 (evalToSingleUnforgeable) */
function singleUnforgeable(par: Par): Unforgeable {
  const others =
    par.sends.length +
    par.receives.length +
    par.news.length +
    par.exprs.length +
    par.matches.length +
    par.bundles.length;
  if (others > 0) throw reduceError("Error: non unforgeable found where unforgeable expected.");
  if (par.unforgeables.length !== 1) throw reduceError("Error: Multiple unforgeables given.");
  return par.unforgeables[0]!;
}
