import { type CheckedProgram, checkProgram, type Language } from "@vedette/language";
import { assertionNames } from "../assertions.js";

/**
 * Adds to every send to a name of the assertion library its place in the text, as one more value. A check that fails
 * reports that place.
 *
 * @returns the text as it was where it cannot be parsed
 */
export function placeChecks(source: string, language: Language): string {
  const { program } = checkProgram(source, language);
  if (program === undefined) return source;
  const { parsed } = program;
  const ends = new Map(parsed.tokens.map((token, index) => [token.end, index]));
  const places = new Map<number, string>();
  for (const { node, start } of checksIn(program)) {
    const span = parsed.spanOf(node);
    const closing = span === undefined ? undefined : ends.get(span.end);
    if (closing === undefined) continue;
    const before = parsed.tokens[closing - 1]!.kind;
    places.set(parsed.tokens[closing]!.start, `${before === "(" || before === "," ? "" : ", "}${start}`);
  }
  return inserted(source, places);
}

/** Sends to names of the assertion library, with the offsets of the names. */
function checksIn({ analysis }: NonNullable<CheckedProgram["program"]>) {
  const names = analysis.symbols.filter(({ name, origin }) => origin === "new" && assertionNames.includes(name));
  return names.flatMap(({ name, scope, references }) =>
    references.flatMap(({ use, span }) => {
      if (use.kind !== "send" || use.node.kind !== "Send" || span.start < scope.start) return [];
      return isOfLibrary(use.node.data.length, name) ? [] : [{ node: use.node, start: span.start }];
    }),
  );
}

/** A text with others put in, by their offsets. */
function inserted(source: string, places: ReadonlyMap<number, string>): string {
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
