/** The text for an unknown value. */
export const unknownText = "–";

/** A number, or that it is not known. */
export function countText(value: number | bigint | undefined): string {
  return value === undefined ? unknownText : String(value);
}

/** @param bytes of memory or disk */
export function memoryText(bytes: number | undefined): string {
  return bytes === undefined ? unknownText : `${Math.round(bytes / (1 << 20))} MB`;
}

const spans = [
  { unit: "d", seconds: 86_400 },
  { unit: "h", seconds: 3_600 },
  { unit: "min", seconds: 60 },
] as const;

/** A length of time in its largest fitting unit: up to two minutes in seconds. */
export function spanText(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1_000));
  if (seconds < 120) return `${seconds} s`;
  const { unit, seconds: size } = spans.find((span) => seconds >= 2 * span.seconds)!;
  return `${Math.floor(seconds / size)} ${unit}`;
}

/** How long ago something was. */
export function ageText(timeMs: number | undefined, nowMs: number): string {
  return timeMs === undefined ? unknownText : `${spanText(nowMs - timeMs)} ago`;
}
