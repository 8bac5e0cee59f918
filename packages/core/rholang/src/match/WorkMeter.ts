/**
 * Counts work that costs no phlo. A match may take exponential time, so a caller that evaluates untrusted programs
 * passes a meter that throws when their time is over.
 *
 * @spec 22 §1.1
 */
export interface WorkMeter {
  /** @param units steps done since the last call, each about one element test */
  tick(units: number): void;
}
