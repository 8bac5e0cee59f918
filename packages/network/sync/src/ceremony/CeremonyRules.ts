/** How a genesis ceremony is led. @spec 40 §10.2, §13 */
export interface CeremonyRules {
  /** `genesis-ceremony.required-signatures`; with none the master approves alone. */
  readonly requiredSignatures: number;
  /** `genesis-ceremony.approve-interval`: how often validators are asked. */
  readonly approveIntervalMs: number;
  /** `genesis-ceremony.approve-duration`: how long those that are not required are waited for. */
  readonly approveDurationMs: number;
}
