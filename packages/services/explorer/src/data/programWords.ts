/** Words that a search takes, and characters of the shortest one. */
const maxWords = 8;
const shortest = 3;
/** Characters of a program beside what was found. */
const around = 24;

/**
 * Returns the parts of a text that may be words of a program; none if it is a number, digits of a hash, or too short to
 * be searched.
 */
export function wordsOf(text: string): string[] {
  if (text.length > 200 || /^#?\d+$/.test(text) || /^(0x)?[0-9a-fA-F]{6,}$/.test(text)) return [];
  const words = text.match(/[\p{L}\p{N}_]+/gu) ?? [];
  if (words.length > maxWords || !words.some((word) => word.length >= shortest)) return [];
  return words;
}

/** Returns the part of a program with the first of the words, on one line. */
export function snippetOf(program: string, words: readonly string[]): string {
  const small = program.toLowerCase();
  const at = words.map((word) => small.indexOf(word.toLowerCase())).filter((place) => place >= 0);
  const from = Math.max(0, Math.min(...at, program.length) - around);
  const part = program.slice(from, from + 3 * around);
  const line = part.replaceAll(/[ \t\r\n]+/g, " ").trim();
  return `${from > 0 ? "…" : ""}${line}${from + part.length < program.length ? "…" : ""}`;
}
