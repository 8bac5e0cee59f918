import { IndexError } from "../IndexError.js";

/** Longest query that is read, in characters. */
export const longestQuery = 100_000;

/** The parts of a query that the check skips: texts, names in quotes, comments. */
const skipped = /'(?:[^']|'')*'|"(?:[^"]|"")*"|`[^`]*`|\[[^\]]*\]|(\$\w*\$)[\s\S]*?\1|--[^\n]*|\/\*[\s\S]*?\*\//g;
const reads = new Set(["select", "with", "values"]);

/**
 * Returns a query that only reads, without what ends it. The connection itself permits no writing; this check reports
 * what is wrong, and keeps out statements that are neither.
 *
 * @throws {IndexQueryError} `badQuery`
 */
export function checkSelect(query: string): string {
  if (query.length > longestQuery) throw refused(`The query is longer than ${longestQuery} characters.`);
  // Databases would read the query up to there.
  if (query.includes("\0")) throw refused("Queries may not have a character of number 0.");
  const bare = query.replace(skipped, (found) => " ".repeat(found.length));
  const end = bare.search(/;\s*$/);
  const text = end < 0 ? query : query.slice(0, end);
  const words = end < 0 ? bare : bare.slice(0, end);
  if (words.includes(";"))
    throw refused("Only one query is allowed at a time; leave out the text after the semicolon.");
  const first = /^[\s(]*([a-z]+)/i.exec(words)?.[1]?.toLowerCase();
  if (first === undefined || !reads.has(first))
    throw refused("Only queries are allowed: they begin with SELECT, WITH or VALUES.");
  return text;
}

function refused(reason: string): IndexError {
  return new IndexError({ code: "badQuery", reason });
}
