import type { Receive, Send } from "@vedette/terms";
import { Phlo } from "./Phlo.js";

/** Receives the steps of an evaluation. */
export interface ChargeTrace {
  /** Receives each charge, in order, before it is booked. */
  charged(amount: number): void;
  /** Receives each send and receive that begins to run, before its first charge. */
  began?(term: Send | Receive): void;
}

/** A balance that reports each charge before it books it. For traces, and for the search for differences. */
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
