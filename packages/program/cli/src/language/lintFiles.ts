import type { DialectName } from "@vedette/config";
import { checkProgram, type Diagnostic, type Language, languageOf } from "@vedette/language";
import { LineTable } from "@vedette/rholang";
import type { PrintLine } from "../checkProof.js";
import { exitCodes } from "../exitCodes.js";
import { explain } from "./formatFiles.js";
import { programFiles, readSource } from "./sourceFiles.js";

/** `vedette lint [paths...]`: what is probably wrong in programs. */
export interface LintCommand {
  readonly command: "lint";
  readonly paths: readonly string[];
  /** The text that came by the standard input. */
  readonly input: string | undefined;
  readonly json: boolean;
  readonly dialect: DialectName;
}

/** A remark with its place, as it is shown. */
interface Remark {
  readonly path: string;
  readonly line: number;
  readonly column: number;
  readonly endLine: number;
  readonly endColumn: number;
  readonly severity: "error" | "warning";
  readonly rule: string;
  readonly message: string;
}

/** Checks every file. @returns failure if there is a finding */
export function lintFiles({ paths, input, json, dialect }: LintCommand, print: PrintLine): number {
  const language = languageOf(dialect);
  const files = input === undefined ? programFiles(paths) : ["-"];
  const remarks = files.flatMap((path) => remarksOn(path, input, language));
  if (json) print(JSON.stringify({ files: files.length, remarks }));
  else {
    for (const { path, line, column, severity, rule, message } of remarks)
      print(`${path}:${line}:${column}: ${severity}: ${message} [${rule}]`);
    const count =
      remarks.length === 0 ? "nothing to remark" : `${remarks.length} ${remarks.length === 1 ? "remark" : "remarks"}`;
    print(`${files.length} ${files.length === 1 ? "file" : "files"}, ${count}`);
  }
  return remarks.length === 0 ? exitCodes.success : exitCodes.failure;
}

function remarksOn(path: string, input: string | undefined, language: Language): Remark[] {
  let source = input ?? "";
  try {
    source = input ?? readSource(path);
    const lines = new LineTable(source);
    return checkProgram(source, language).diagnostics.map((diagnostic) => remark(path, lines, diagnostic));
  } catch (error) {
    const nowhere = { line: 1, column: 1, endLine: 1, endColumn: 1 };
    return [{ path, ...nowhere, severity: "error", rule: "unreadable", message: explain(source, error, language) }];
  }
}

function remark(path: string, lines: LineTable, { severity, rule, message, span }: Diagnostic): Remark {
  const { line, column } = lines.positionAt(span.start);
  const { line: endLine, column: endColumn } = lines.positionAt(span.end);
  return { path, line, column, endLine, endColumn, severity, rule, message };
}
