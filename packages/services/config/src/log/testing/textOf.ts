import type { Line } from "../Line.js";

/** All that a line says. */
export function textOf(line: Line | undefined): string | undefined {
  return line === undefined ? undefined : [line.text, ...(line.more ?? [])].join("\n");
}
