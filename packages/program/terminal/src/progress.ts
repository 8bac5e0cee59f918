import { spanText } from "./units.js";

/** Work that goes on. */
export interface ShownProgress {
  readonly done: number;
  /** `undefined` where the total is unknown. */
  readonly total: number | undefined;
  readonly perSecond: number;
  /** The counted unit, as `blocks`. */
  readonly unit: string;
  readonly secondsLeft?: number | undefined;
}

const barColumns = 24;

/** A bar, how much is done, how fast, and how long it takes. */
export function progressText({ done, total, perSecond, unit, secondsLeft }: ShownProgress): string {
  const known = total !== undefined && total > 0;
  const part = known ? [`${barText(done / total)} ${shareText(done / total)}`] : [`${done} ${unit}`];
  const left = secondsLeft === undefined || secondsLeft === 0 ? [] : [`${spanText(secondsLeft * 1_000)} left`];
  return [...part, `${perSecond.toFixed(perSecond < 10 ? 1 : 0)} ${unit}/s`, ...left].join(", ");
}

/** @param share of the whole; what is less than nothing or more than all is cut */
export function barText(share: number, columns = barColumns): string {
  const filled = Math.floor(bounded(share) * columns);
  return "█".repeat(filled) + "░".repeat(columns - filled);
}

/** Nothing is done before it is. */
function shareText(share: number): string {
  return `${Math.floor(bounded(share) * 100)} %`;
}

function bounded(share: number): number {
  return Number.isFinite(share) ? Math.min(1, Math.max(0, share)) : 0;
}
