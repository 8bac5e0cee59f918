/** Fault tolerances are parts of a million. @spec 61 §13 */
export const faultToleranceScale = 1_000_000n;

/** The least Q with 2·Q·10^6 ≥ S·(10^6 + θ). @spec 61 §13.1 */
export function neededClique(total: bigint, tolerance: bigint): bigint {
  const parts = 2n * faultToleranceScale;
  return (total * (faultToleranceScale + tolerance) + parts - 1n) / parts;
}
