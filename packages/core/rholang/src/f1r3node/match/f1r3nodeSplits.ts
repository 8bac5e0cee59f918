import { Par } from "@vedette/terms";
import type { WorkMeter } from "../../match/WorkMeter.js";
import type { F1r3nodeBounds } from "./F1r3nodeBounds.js";
import { f1r3nodeSubsets } from "./f1r3nodeSubsets.js";

/** A part of a process, and what else there is. */
export interface ParSplit {
  readonly chosen: Par;
  readonly others: Par;
}

/**
 * The ways to give a connective a part of a process: sends vary slowest, bundles fastest.
 *
 * @spec 22 §1.5, 61 §6
 * @param own   the parts that the connective can take
 * @param later the parts that must be and can be left over
 * @throws {TermLimitError} `tooManyParts`
 */
export function* f1r3nodeSplits(
  target: Par,
  own: F1r3nodeBounds,
  later: F1r3nodeBounds,
  meter: WorkMeter | undefined,
): Generator<ParSplit> {
  const subsets = <T>(elements: readonly T[], kind: number) => {
    const low = Math.max(own.low[kind]!, elements.length - later.high[kind]!);
    const high = Math.min(own.high[kind]!, elements.length - later.low[kind]!);
    return f1r3nodeSubsets(elements, low, high, meter);
  };
  const sends = subsets(target.sends, 0);
  const receives = subsets(target.receives, 1);
  const news = subsets(target.news, 2);
  const exprs = subsets(target.exprs, 3);
  const matches = subsets(target.matches, 4);
  const unforgeables = subsets(target.unforgeables, 5);
  const bundles = subsets(target.bundles, 6);
  const sizes = [sends, receives, news, exprs, matches, unforgeables, bundles].map((each) => each.count);
  if (sizes.includes(0)) return;
  const at = sizes.map(() => 0);
  do {
    const part = (which: "chosen" | "others"): Par =>
      Par.of({
        sends: sends.at(at[0]!)[which],
        receives: receives.at(at[1]!)[which],
        news: news.at(at[2]!)[which],
        exprs: exprs.at(at[3]!)[which],
        matches: matches.at(at[4]!)[which],
        unforgeables: unforgeables.at(at[5]!)[which],
        bundles: bundles.at(at[6]!)[which],
      });
    yield { chosen: part("chosen"), others: part("others") };
  } while (advance(at, sizes));
}

/** Goes on to the next combination, the last place first. @returns whether there is one */
function advance(at: number[], sizes: readonly number[]): boolean {
  for (let place = at.length - 1; place >= 0; place -= 1) {
    at[place]! += 1;
    if (at[place]! < sizes[place]!) return true;
    at[place] = 0;
  }
  return false;
}
