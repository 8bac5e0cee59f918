import type { Receive, Send } from "@vedette/terms";
import { Phlo } from "../../cost/Phlo.js";
import type { ChargeTrace } from "../../cost/TracedPhlo.js";
import type { LongCharger } from "./chargeLong.js";

const greatest = (1n << 63n) - 1n;
const least = -(1n << 63n);

/** The phlo balance on f1r3node networks: what is given back stops at the greatest number. @spec 61 §7 */
export class F1r3nodePhlo extends Phlo implements LongCharger {
  /** @param trace receives each charge before it is booked */
  constructor(
    limit: bigint,
    private readonly trace: ChargeTrace | undefined,
  ) {
    super(limit);
  }

  override charge(amount: number): void {
    this.trace?.charged(amount);
    super.charge(amount);
  }

  chargeLong(amount: bigint): void {
    this.trace?.charged(Number(amount));
    this.chargeBeyond(amount);
  }

  override begin(term: Send | Receive, amount: number): void {
    this.trace?.began?.(term);
    this.charge(amount);
  }

  protected override bounded(left: bigint): bigint {
    return left > greatest ? greatest : left < least ? least : left;
  }
}
