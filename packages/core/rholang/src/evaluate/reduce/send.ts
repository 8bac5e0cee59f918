import type { SplittableRandom } from "@vedette/crypto";
import { ListParWithRandom, type Send } from "@vedette/terms";
import { sendEvalCost } from "../../cost/costs.js";
import type { Environment } from "../Environment.js";
import { evalExpr } from "../expression/evalExpr.js";
import type { Reducer } from "../Reducer.js";
import { substituteAndCharge } from "../substitute/substitute.js";
import { produce } from "../tuple/produce.js";
import { writableChannel } from "./bundle.js";

/** `channel!(data…)`, `channel!!(data…)`. @spec 21 §3.4, 22 §4.5 */
export function reduceSend(reducer: Reducer, term: Send, env: Environment, random: SplittableRandom): void {
  const { phlo } = reducer.surroundings;
  phlo.begin(term, sendEvalCost);
  const channel = writableChannel(substituteAndCharge(evalExpr(term.chan, env, phlo), 0, env, phlo));
  // All data are evaluated before the first is substituted: visible where the phlo runs out.
  const data = term.data.slice();
  for (let i = 0; i < data.length; i += 1) data[i] = evalExpr(data[i]!, env, phlo);
  for (let i = 0; i < data.length; i += 1) data[i] = substituteAndCharge(data[i]!, 0, env, phlo);
  produce(reducer, channel, new ListParWithRandom(data, random.toBytes()), term.persistent, undefined);
}
