import type { BindPattern, ListParWithRandom, Par, TaggedContinuation } from "@vedette/terms";

/** A consume as a reader wants it. @spec 30 §7 */
export interface ReportConsume {
  readonly kind: "consume";
  readonly channels: readonly Par[];
  readonly patterns: readonly BindPattern[];
  readonly continuation: TaggedContinuation;
  readonly peeks: readonly number[];
}

/** A produce as a reader wants it; inside of a COMM, `data` are the values that were bound. @spec 30 §7 */
export interface ReportProduce {
  readonly kind: "produce";
  readonly channel: Par;
  readonly data: ListParWithRandom;
}

/** A match: the continuation and what its binds got, in the order of the channels. @spec 30 §7 */
export interface ReportComm {
  readonly kind: "comm";
  readonly consume: ReportConsume;
  readonly produces: readonly ReportProduce[];
}

/** One event of a report. @spec 30 §7 */
export type ReportEvent = ReportConsume | ReportProduce | ReportComm;
