import type { Series } from "./series.js";

/** The counts of an hour or a day, as the index returns them. */
export interface CountedSpan {
  /** Its beginning. */
  readonly bucket_start: string;
  readonly blocks: string;
  readonly deployments: string;
  readonly errored: string;
  readonly transfers: string;
  readonly phlo_cost: string;
  /** In the smallest unit of the token. */
  readonly fees_dust: string;
  readonly avg_block_time_seconds: number | null;
  /** Mean of the final blocks of which it is known; `null` where there is none. */
  readonly avg_finality_lag_seconds: number | null;
  readonly avg_finality_lag_blocks: number | null;
}

/** Seconds: thirty days. */
const longestPause = 2_592_000;

/** Each count over time: in the first row seconds since 1970, the earliest first. @param spans in any order */
export function spansOver(spans: readonly CountedSpan[]) {
  const known = spans
    .map((span) => ({ span, at: Date.parse(span.bucket_start) / 1_000 }))
    .filter(({ at }) => Number.isFinite(at))
    .sort((one, other) => one.at - other.at);
  // Genesis may have been made long before the network ran.
  const [first, second] = known;
  if (second !== undefined && first?.span.blocks === "1" && second.at - first.at > longestPause) known.shift();
  const times = known.map(({ at }) => at);
  const over = (value: (span: CountedSpan) => number | null): Series => [times, known.map(({ span }) => value(span))];
  return {
    blocks: over(({ blocks }) => Number(blocks)),
    deploys: over(({ deployments }) => Number(deployments)),
    failed: over(({ errored }) => Number(errored)),
    transfers: over(({ transfers }) => Number(transfers)),
    cost: over(({ phlo_cost: phlo }) => Number(phlo)),
    /** In the smallest unit of the token. */
    fees: over(({ fees_dust: fees }) => Number(fees)),
    /** Milliseconds; unknown in the first and the last span, of which only a part has blocks. */
    blockTime: over((span) => {
      const seconds = span.avg_block_time_seconds;
      const isWhole = span !== known[0]?.span && span !== known.at(-1)?.span;
      return seconds === null || !isWhole ? null : seconds * 1_000;
    }),
    lag: {
      /** Milliseconds. */
      time: over(({ avg_finality_lag_seconds: seconds }) => (seconds === null ? null : seconds * 1_000)),
      blocks: over(({ avg_finality_lag_blocks: heights }) => heights),
    },
  };
}
