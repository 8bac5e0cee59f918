import type { DialectName } from "@vedette/config";
import { errorText } from "@vedette/errors";
import { formatSource, type Language, languageOf } from "@vedette/language";
import { InterpreterError, renderError } from "@vedette/rholang";
import type { PrintLine } from "../checkProof.js";
import { exitCodes } from "../exitCodes.js";
import { programFiles, readSource, replaceFile } from "./sourceFiles.js";

/** `vedette fmt [paths...]`: programs laid out in one way. */
export interface FormatCommand {
  readonly command: "fmt";
  readonly paths: readonly string[];
  /** The text that came by the standard input. */
  readonly input: string | undefined;
  readonly check: boolean;
  readonly json: boolean;
  readonly dialect: DialectName;
}

interface FormattedFile {
  readonly path: string;
  readonly changed: boolean;
  readonly error?: string;
}

/** Formats files, or lists those that are not formatted. A file that cannot be formatted stays as it is. */
export function formatFiles(
  { paths, input, check, json, dialect }: FormatCommand,
  print: PrintLine,
  note: PrintLine,
): number {
  const language = languageOf(dialect);
  if (input !== undefined) return formatInput({ input, check, language }, print, note);
  const results = programFiles(paths).map((path) => formatFile(path, check, language));
  if (json) print(JSON.stringify({ files: results }));
  else for (const line of linesOf(results, check)) print(line);
  const isFailed = results.some(({ changed, error }) => error !== undefined || (check && changed));
  return isFailed ? exitCodes.failure : exitCodes.success;
}

interface Input {
  readonly input: string;
  readonly check: boolean;
  readonly language: Language;
}

function formatInput({ input, check, language }: Input, print: PrintLine, note: PrintLine): number {
  let formatted: string;
  try {
    formatted = formatSource(input, language);
  } catch (error) {
    note(explain(input, error, language));
    return exitCodes.failure;
  }
  if (check) return formatted === input ? exitCodes.success : exitCodes.failure;
  if (formatted !== "") print(formatted.slice(0, -1));
  return exitCodes.success;
}

function formatFile(path: string, check: boolean, language: Language): FormattedFile {
  let source = "";
  try {
    source = readSource(path);
    const formatted = formatSource(source, language);
    const changed = formatted !== source;
    if (changed && !check) replaceFile(path, formatted);
    return { path, changed };
  } catch (error) {
    return { path, changed: false, error: explain(source, error, language) };
  }
}

function linesOf(results: readonly FormattedFile[], check: boolean): string[] {
  const lines: string[] = [];
  for (const { path, changed, error } of results) {
    if (error !== undefined) lines.push(`${path}: ${error}`);
    else if (changed) lines.push(check ? `${path} is not formatted` : `${path} formatted`);
  }
  const count = results.filter(({ changed }) => changed).length;
  const files = `${results.length} ${results.length === 1 ? "file" : "files"}`;
  if (check) lines.push(count === 0 ? `${files} checked` : `${files} checked, ${count} not formatted: run vedette fmt`);
  else lines.push(`${files}, ${count} changed`);
  return lines;
}

/** Describes the fault and its place; with a hint if Windows line ends are the cause. */
export function explain(source: string, error: unknown, { placeOf }: Pick<Language, "placeOf">): string {
  if (error instanceof InterpreterError) {
    const shown = renderError(source, error, placeOf);
    const isLineEnd = error.failure.class === "UnrecognizedInterpreterError" && source.includes("\r\n");
    return isLineEnd ? `${shown}\nBlock comments may not have Windows line ends: save the file with LF.` : shown;
  }
  if (error instanceof RangeError && error.message.includes("call stack")) return "The program is nested too deeply";
  return errorText(error);
}
