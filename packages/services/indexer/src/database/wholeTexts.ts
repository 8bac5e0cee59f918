/**
 * Rewrites a query of SQLite so that its texts arrive whole: they are fetched as bytes, and bytes as hexadecimal
 * digits; {@link wholeCell} undoes that. Read directly, the library libsql (0.5.29) cuts a text at its first character
 * of number 0, and ends the process for a text that is not UTF-8 (`cast(x'ff' as text)`).
 *
 * @param sql begins with `select`
 * @param columns the number of its columns
 */
export function wholeTexts(sql: string, columns: number): string {
  const names = Array.from({ length: columns }, (_, at) => `c${at}`);
  const cells = names.map(
    (name) =>
      `case typeof(${name}) when 'text' then cast(${name} as blob) when 'blob' then hex(${name}) else ${name} end`,
  );
  const inner = `with w(${names.join(", ")}) as (${withoutBytes(sql)}) select * from w`;
  return `select ${cells.join(", ")} from (${inner})`;
}

/** Returns a cell as the query before {@link wholeTexts} has it; bytes of a text that are not UTF-8 become U+FFFD. */
export function wholeCell(cell: unknown): unknown {
  if (cell instanceof Uint8Array) return Buffer.from(cell.buffer, cell.byteOffset, cell.length).toString();
  return typeof cell === "string" ? Buffer.from(cell, "hex") : cell;
}

/** Literals such as `x'00ff'`, patterns of LIKE and GLOB, and what is not looked into: texts, names, comments, words. */
const parts =
  /((?<![\w$\u0080-\uffff])(?:like|glob)\s*)?(?<![\w$\u0080-\uffff])[\w$\u0080-\uffff]*'(?:[^']|'')*'|"(?:[^"]|"")*"|`(?:[^`]|``)*`|\[[^\]]*\]|--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/gi;
const bytes = /^x('(?:[0-9a-f]{2})*')$/i;
const beyondAscii = /[\u0080-\u{10ffff}]/gu;

/**
 * EXPLAIN shows constants as texts, also those that are none, which would end the process as above: bytes, and the end
 * of the range that SQLite looks through for a pattern, where it counts up the last byte of the pattern's beginning.
 */
function withoutBytes(sql: string): string {
  return sql.replace(parts, (found, keyword: string | undefined) => {
    if (keyword === undefined) return found.replace(bytes, "unhex($1)");
    const text = found.slice(keyword.length);
    // Characters whose last byte is 0xBF.
    return text.match(beyondAscii)?.some((one) => (one.codePointAt(0)! & 0x3f) === 0x3f) ? `${keyword}+${text}` : found;
  });
}
