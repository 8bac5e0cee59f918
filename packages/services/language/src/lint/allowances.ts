import type { ProgramSource } from "../ProgramSource.js";

const allowance = /^(?:\/\/|\/\*)\s*lint: allow(?<everywhere>-in-file)? (?<rules>[a-z-]+(?:, ?[a-z-]+)*)/;

/**
 * Reads the comments that switch rules off: `// lint: allow race` at the end of a line, or alone on the line before it;
 * `// lint: allow-in-file race, unused-name` anywhere.
 *
 * @returns a function that returns whether a rule is switched off at an offset
 */
export function allowances(parsed: ProgramSource): (rule: string, offset: number) => boolean {
  const lines = new Map<number, Set<string>>();
  const everywhere = new Set<string>();
  for (const { start, end, before } of parsed.comments) {
    const { groups } = allowance.exec(parsed.source.slice(start, end)) ?? {};
    if (groups === undefined) continue;
    const named = groups["rules"]!.split(/, ?/);
    if (groups["everywhere"] !== undefined) for (const rule of named) everywhere.add(rule);
    else {
      const own = parsed.lines.positionAt(start).line;
      const previous = parsed.tokens[before - 1];
      const isBehind = previous !== undefined && parsed.lines.positionAt(previous.start).line === own;
      const line = isBehind ? own : parsed.lines.positionAt(parsed.tokens[before]!.start).line;
      lines.set(line, new Set([...(lines.get(line) ?? []), ...named]));
    }
  }
  return (rule, offset) => everywhere.has(rule) || lines.get(parsed.lines.positionAt(offset).line)?.has(rule) === true;
}
