import { checkProgram, type Language } from "@vedette/language";
import { assertionNames } from "../assertions.js";

/**
 * Gives every send to a name of the assertion library its place in the text as one more value, so that a check that
 * fails can tell where it stands.
 *
 * @returns the text as it was where it cannot be parsed
 */
export function placeChecks(source: string, language: Language): string {
  const { program } = checkProgram(source, language);
  if (program === undefined) return source;
  const { parsed, analysis } = program;
  const ends = new Map(parsed.tokens.map((token, index) => [token.end, index]));
  const places = new Map<number, string>();
  for (const { name, origin, scope, references } of analysis.symbols) {
    if (origin !== "new" || !assertionNames.includes(name)) continue;
    for (const { use, span } of references) {
      if (use.kind !== "send" || use.node.kind !== "Send" || span.start < scope.start) continue;
      const sendSpan = parsed.spanOf(use.node);
      const closing = sendSpan === undefined ? undefined : ends.get(sendSpan.end);
      if (closing === undefined || isOfLibrary(use.node.data.length, name)) continue;
      const before = parsed.tokens[closing - 1]!.kind;
      places.set(parsed.tokens[closing]!.start, `${before === "(" || before === "," ? "" : ", "}${span.start}`);
    }
  }
  let placed = "";
  let at = 0;
  for (const [offset, text] of [...places].sort(([one], [other]) => one - other)) {
    placed += source.slice(at, offset) + text;
    at = offset;
  }
  return placed + source.slice(at);
}

/** The library itself sends checks of four values. */
function isOfLibrary(values: number, name: string): boolean {
  return name === "check" && values !== 2;
}
