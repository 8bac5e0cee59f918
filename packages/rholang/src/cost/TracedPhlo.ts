import { Phlo } from "./Phlo.js";

/** A balance that tells of each charge before it books it. For people who look for a difference. */
export class TracedPhlo extends Phlo {
  constructor(
    limit: bigint,
    private readonly tell: (amount: number) => void,
  ) {
    super(limit);
  }

  override charge(amount: number): void {
    this.tell(amount);
    super.charge(amount);
  }
}
