const relative = new Intl.RelativeTimeFormat("en", { numeric: "always", style: "short" });
const absolute = new Intl.DateTimeFormat(globalThis.navigator?.languages, { dateStyle: "medium", timeStyle: "medium" });

const steps = [
  { unit: "second", ms: 1_000, below: 60_000 },
  { unit: "minute", ms: 60_000, below: 3_600_000 },
  { unit: "hour", ms: 3_600_000, below: 86_400_000 },
  { unit: "day", ms: 86_400_000, below: 2_592_000_000 },
  { unit: "month", ms: 2_592_000_000, below: 31_536_000_000 },
  { unit: "year", ms: 31_536_000_000, below: Number.POSITIVE_INFINITY },
] as const;

/** The latest time that a date may have. */
const latestMs = 8_640_000_000_000_000;

/** `4 sec. ago`. */
export function printAgo(timestamp: number, now: number): string {
  const passed = now - timestamp;
  if (Math.abs(passed) < 1_000) return "now";
  const { unit, ms } = steps.find(({ below }) => Math.abs(passed) < below)!;
  return relative.format(-Math.trunc(passed / ms), unit);
}

/** `23 Nov 2026, 06:26:00`, in the reader's zone. A block may claim any time. */
export function printMoment(timestamp: number): string {
  if (!(Math.abs(timestamp) <= latestMs)) return `${timestamp} ms`;
  return absolute.format(timestamp);
}
