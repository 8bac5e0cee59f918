/** The figures that a process prints after it has replayed a chain. */
export interface ReplayedOnce {
  readonly blocks: number;
  readonly deploys: number;
  readonly differences: readonly string[];
  /** Time from the start of the replay, and processor time of the whole process, when so many blocks were done. */
  readonly heights: readonly { readonly blocks: number; readonly ms: number; readonly cpuMs: number }[];
  /** Resident. */
  readonly peakBytes: number;
}
