import type { SplittableRandom } from "@vedette/crypto";
import { BindPattern, type Par, ParContinuation, ParWithRandom, type Receive } from "@vedette/terms";
import { receiveEvalCost } from "../../cost/costs.js";
import type { Environment } from "../Environment.js";
import { evalExpr } from "../expression/evalExpr.js";
import type { Reducer } from "../Reducer.js";
import { substituteAndCharge, substituteNoSortAndCharge } from "../substitute/substitute.js";
import { type ConsumeRequest, consume } from "../tuple/consume.js";
import { readableChannel } from "./bundle.js";

const noPeeks: readonly number[] = [];

/** `for (binds) { body }`, `contract`. @spec 21 §3.5, 22 §4.5 */
export function reduceReceive(reducer: Reducer, term: Receive, env: Environment, random: SplittableRandom): void {
  const { phlo } = reducer.surroundings;
  phlo.begin(term, receiveEvalCost);
  const count = term.binds.length;
  const channels = new Array<Par>(count);
  const bindPatterns = new Array<BindPattern>(count);
  for (let i = 0; i < count; i += 1) {
    const bind = term.binds[i]!;
    channels[i] = readableChannel(substituteAndCharge(evalExpr(bind.source, env, phlo), 0, env, phlo));
    const patterns = bind.patterns.slice();
    for (let j = 0; j < patterns.length; j += 1) patterns[j] = substituteAndCharge(patterns[j]!, 1, env, phlo);
    bindPatterns[i] = new BindPattern(patterns, bind.remainder, bind.freeCount);
  }
  // Quirk 21 §3.5: the body is not sorted, and the order of its terms decides their random states.
  const body = substituteNoSortAndCharge(term.body, 0, env.shifted(term.bindCount), phlo);
  const request: ConsumeRequest = {
    channels,
    patterns: bindPatterns,
    continuation: new ParContinuation(new ParWithRandom(body, random.toBytes())),
    persistent: term.persistent,
    peeks: term.peek ? channels.map((_, index) => index) : noPeeks,
  };
  consume(reducer, request, undefined);
}
