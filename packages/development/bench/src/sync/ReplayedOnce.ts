/** The figures that a process prints after it has replayed a chain. */
export interface ReplayedOnce {
  readonly blocks: number;
  readonly deploys: number;
  readonly differences: readonly string[];
  /** The times at which these numbers of blocks were done. */
  readonly heights: readonly ReplayMark[];
  /** Resident. */
  readonly peakBytes: number;
}

/** How far a replay was at a moment. */
export interface ReplayMark {
  readonly blocks: number;
  /** Since the start of the replay. */
  readonly ms: number;
  /** Processor time of the whole process. */
  readonly cpuMs: number;
  /** The bytes that the process has written to files, page by page; 0 if the system does not count them. */
  readonly writtenBytes: number;
}
