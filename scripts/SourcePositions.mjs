// A reporter for vitest: gives positions in errors as those of the sources, not of the compiled files that ran.
// Node.js could do so while tests run (--enable-source-maps), for an eighth more processor time of every test.
import { existsSync, readFileSync } from "node:fs";
import { SourceMap } from "node:module";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";

/** A position in a compiled file: `file:///…/dist/x.js:12:34`, or a path. */
const position = /(?:file:\/\/)?(\/[^\s():]*\/dist\/[^\s():]*\.js):(\d+):(\d+)/g;
/** By the compiled file; `undefined` where it has none. */
const maps = new Map();

/** Runs before the reporters that print errors. */
// biome-ignore lint/style/noDefaultExport: vitest imports reporters by their path, as defaults.
export default class SourcePositions {
  onTestCaseResult(test) {
    mapErrors(test.result().errors);
  }

  onTestSuiteResult(suite) {
    mapErrors(suite.errors());
  }

  onTestModuleEnd(module) {
    mapErrors(module.errors());
  }

  onTestRunEnd(_modules, unhandledErrors) {
    mapErrors(unhandledErrors);
  }
}

function mapErrors(errors = []) {
  for (const error of errors) {
    if (typeof error.stack !== "string") continue;
    error.stack = error.stack.replaceAll(position, sourceOf);
    // Made of the stack again where it is printed.
    delete error.stacks;
    if (error.cause !== null && typeof error.cause === "object") mapErrors([error.cause]);
  }
}

function sourceOf(text, path, line, column) {
  const file = text.startsWith("file:") ? fileURLToPath(`file://${path}`) : path;
  const { originalSource, originalLine, originalColumn } = mapOf(file)?.findEntry(line - 1, column - 1) ?? {};
  if (originalSource === undefined) return text;
  return `${resolve(dirname(file), decodeURI(originalSource))}:${originalLine + 1}:${originalColumn + 1}`;
}

function mapOf(file) {
  if (!maps.has(file)) {
    const path = `${file}.map`;
    maps.set(file, existsSync(path) ? new SourceMap(JSON.parse(readFileSync(path, "utf8"))) : undefined);
  }
  return maps.get(file);
}
