import { emptyBitSet, Par } from "@vedette/terms";
import type { Bounds, ParCount } from "./bounds.js";
import { Subsets } from "./Subsets.js";

/**
 * Enumerates the ways to split a Par in two, of which a connective takes one part and the rest of the pattern the
 * other. Sends vary slowest, bundles fastest. Connectives of the split Par are dropped.
 *
 * @spec 22 §1.5
 */
export class ParSplits {
  private readonly lists: readonly (readonly unknown[])[];
  private readonly subsets: Subsets[] = [];
  private started = false;

  /**
   * @param own   the parts that the connective can take
   * @param later the parts that the rest of the pattern needs
   */
  constructor(par: Par, own: Bounds, later: Bounds) {
    this.lists = [par.sends, par.receives, par.news, par.exprs, par.matches, par.unforgeables, par.bundles];
    for (let kind = 0; kind < this.lists.length; kind += 1) {
      const size = this.lists[kind]!.length;
      const low = Math.max(at(own.low, kind), size - at(later.high, kind));
      const high = Math.min(at(own.high, kind), size - at(later.low, kind));
      this.subsets.push(new Subsets(size, low, high));
    }
  }

  /** Goes to the first split, then to the one after. @returns false where there is none */
  next(): boolean {
    if (!this.started) {
      this.started = true;
      return this.subsets.every((subsets) => subsets.first());
    }
    for (let kind = this.subsets.length - 1; kind >= 0; kind -= 1) {
      if (this.subsets[kind]!.next()) return true;
      this.subsets[kind]!.first();
    }
    return false;
  }

  chosen(): Par {
    return this.part(1);
  }

  rest(): Par {
    return this.part(0);
  }

  private part(bit: number): Par {
    const pick = (kind: number): readonly never[] =>
      this.lists[kind]!.filter((_, i) => this.subsets[kind]!.chosen[i] === bit) as never[];
    return new Par(pick(0), pick(1), pick(2), pick(3), pick(4), pick(5), pick(6), [], emptyBitSet, false);
  }
}

function at(count: ParCount, kind: number): number {
  return count[kind]!;
}
