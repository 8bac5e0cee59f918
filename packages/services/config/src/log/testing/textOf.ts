import type { Line } from "../Line.js";

/** Returns the whole text of a line. */
export function textOf(line: Line | undefined): string | undefined {
  return line === undefined ? undefined : [line.text, ...(line.more ?? [])].join("\n");
}
