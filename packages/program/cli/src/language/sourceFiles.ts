import { readdirSync, readFileSync, realpathSync, renameSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { hasCases } from "@vedette/language/testCases";

/** Sources above this are refused before they are read. */
const longestSourceBytes = 64 << 20;

/**
 * Reads a program as the compiler wants it.
 *
 * @throws Error in one sentence: a directory, too large, no UTF-8, a byte order mark; else the system's error
 */
export function readSource(file: string): string {
  const facts = statSync(file);
  if (facts.isDirectory()) throw new TypeError(`${file} is a directory, not a program`);
  if (facts.size > longestSourceBytes)
    throw new RangeError(`${file} has ${facts.size} bytes; a program may have ${longestSourceBytes}`);
  return sourceText(readFileSync(file), file);
}

/** The text of a program's bytes. @param name for the message @throws Error as {@link readSource} */
export function sourceText(bytes: Uint8Array, name: string): string {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf)
    throw new TypeError(`${name} begins with a byte order mark, which no node reads; save it as UTF-8 without one`);
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    throw new TypeError(`${name} is no UTF-8 text; save it as UTF-8`, { cause: error });
  }
}

/** The files that paths name; of a directory, all files in it that end in `.rho`, without hidden ones. */
export function rholangFiles(paths: readonly string[]): string[] {
  return [...new Set(paths.flatMap((path) => (statSync(path).isDirectory() ? filesBelow(path) : [path])))];
}

function filesBelow(directory: string): string[] {
  return readdirSync(directory, { withFileTypes: true })
    .filter(({ name }) => !name.startsWith(".") && name !== "node_modules")
    .flatMap((entry) => {
      const path = join(directory, entry.name);
      if (entry.isDirectory()) return filesBelow(path);
      return entry.isFile() && entry.name.endsWith(".rho") ? [path] : [];
    })
    .sort();
}

/** Puts a text in the place of a file, whole or not at all, however full the disk is. */
export function replaceFile(path: string, text: string): void {
  const file = realpathSync(path);
  const draft = `${file}.${process.pid}.tmp`;
  writeFileSync(draft, text, { mode: statSync(file).mode });
  renameSync(draft, file);
}

/** Files as {@link rholangFiles} finds them, without test cases that no path names, since these are no programs. */
export function programFiles(paths: readonly string[]): string[] {
  const named = new Set(paths);
  return rholangFiles(paths).filter((path) => named.has(path) || !hasCases(readFileSync(path, "utf8")));
}
