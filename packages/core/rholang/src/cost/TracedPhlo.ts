import type { Receive, Send } from "@vedette/terms";
import { Phlo } from "./Phlo.js";

/** What wants to know of an evaluation's steps. */
export interface ChargeTrace {
  /** Is told of each charge, in order, before it is booked. */
  charged(amount: number): void;
  /** Is told of each send and receive that begins to run, before its first charge. */
  began?(term: Send | Receive): void;
}

/** A balance that tells of each charge before it books it. For people who look for a difference, and for traces. */
export class TracedPhlo extends Phlo {
  constructor(
    limit: bigint,
    private readonly trace: ChargeTrace,
  ) {
    super(limit);
  }

  override charge(amount: number): void {
    this.trace.charged(amount);
    super.charge(amount);
  }

  override begin(term: Send | Receive, amount: number): void {
    this.trace.began?.(term);
    this.charge(amount);
  }
}
