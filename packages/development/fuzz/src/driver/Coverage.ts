import { readFileSync } from "node:fs";
import { Session } from "node:inspector";
import { fileURLToPath } from "node:url";

interface Range {
  readonly startOffset: number;
  readonly endOffset: number;
  readonly count: number;
}

interface Script {
  readonly url: string;
  readonly functions: readonly { readonly ranges: readonly Range[] }[];
}

/** A piece of code: its first character in a built file. */
export interface Place {
  readonly file: string;
  readonly offset: number;
}

/** Lines of code of one built file. */
export interface FileCoverage {
  readonly file: string;
  readonly covered: number;
  readonly lines: number;
}

/**
 * Which code ran, as V8 counts it itself: exact, for ES modules as they are built, without rewriting them.
 * Counting begins with this object, so that modules which are loaded later are counted from their first line.
 */
export class Coverage {
  readonly #session = new Session();
  readonly #isUnderTest: (path: string) => boolean;
  /** Path below the floor → one mark for each character of the built file. */
  readonly #marks = new Map<string, Uint8Array>();
  readonly #sources = new Map<string, string>();

  /** @param isUnderTest by path below the floor without `dist`, such as `terms/wire/decode.js` */
  constructor(isUnderTest: (path: string) => boolean) {
    this.#isUnderTest = isUnderTest;
    this.#session.connect();
    this.#session.post("Profiler.enable");
    this.resume();
  }

  /** Nothing is counted from now on, and all runs at full speed. */
  pause(): void {
    this.#session.post("Profiler.stopPreciseCoverage");
  }

  resume(): void {
    this.#session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
  }

  /**
   * Adds the code that ran since the last call to the code that ran before.
   *
   * @returns the places that never ran before, one for each stretch of code
   * @cost some milliseconds: V8 walks all functions of the thread
   */
  take(): Place[] {
    return this.#scripts().flatMap(([file, script]) => addMarks(file, this.#marksOf(file, script), script));
  }

  /** Like {@link take}, but answers which of some places ran since the last call. */
  ranOf(places: readonly Place[]): Place[] {
    const ran = new Map<string, Uint8Array>();
    for (const [file, script] of this.#scripts()) {
      const marks = this.#marksOf(file, script);
      ran.set(file, ranIn(script, marks.length));
      addMarks(file, marks, script);
    }
    return places.filter(({ file, offset }) => ran.get(file)?.[offset] === 1);
  }

  /** Begins anew, with no place marked. */
  forget(): void {
    this.take();
    for (const marks of this.#marks.values()) marks.fill(0);
  }

  stop(): void {
    this.#session.disconnect();
  }

  /** The files under test that were loaded, with their covered lines. */
  files(): FileCoverage[] {
    const answer = [...this.#marks].map(([file, marks]) => linesOf(file, this.#sources.get(file)!, marks));
    return answer.filter(({ lines }) => lines > 0).sort((one, other) => one.file.localeCompare(other.file));
  }

  #scripts(): [string, Script][] {
    const scripts: [string, Script][] = [];
    this.#session.post("Profiler.takePreciseCoverage", (error, answer) => {
      if (error !== null) throw error;
      for (const script of answer.result) {
        const file = pathBelowPackages(script.url);
        if (file !== undefined && this.#isUnderTest(file)) scripts.push([file, script]);
      }
    });
    return scripts;
  }

  #marksOf(file: string, { url }: Script): Uint8Array {
    const known = this.#marks.get(file);
    if (known !== undefined) return known;
    const source = readFileSync(fileURLToPath(url), "utf8");
    const marks = new Uint8Array(source.length);
    this.#sources.set(file, source);
    this.#marks.set(file, marks);
    return marks;
  }
}

/** Outer functions and ranges come before inner ones, and an inner one is more exact about the code that ran. */
function ranIn({ functions }: Script, length: number): Uint8Array {
  const ran = new Uint8Array(length);
  for (const { ranges } of functions)
    for (const { startOffset, endOffset, count } of ranges) ran.fill(count > 0 ? 1 : 0, startOffset, endOffset);
  return ran;
}

function addMarks(file: string, marks: Uint8Array, script: Script): Place[] {
  const ran = ranIn(script, marks.length);
  const places: Place[] = [];
  let isNew = false;
  for (let index = ran.indexOf(1); index >= 0 && index < ran.length; index += 1) {
    const wasNew = isNew;
    isNew = ran[index] === 1 && marks[index] === 0;
    if (!isNew) continue;
    marks[index] = 1;
    if (!wasNew) places.push({ file, offset: index });
  }
  return places;
}

/** `undefined` for what is none of our packages. */
function pathBelowPackages(url: string): string | undefined {
  const place = /\/packages\/[a-z]+\/([a-z]+)\/(?:dist|src)\/(.*)$/.exec(url);
  return place === null || !url.startsWith("file:") ? undefined : `${place[1]}/${place[2]}`;
}

/** A line of code counts as covered if its first character is. */
function linesOf(file: string, source: string, marks: Uint8Array): FileCoverage {
  let at = 0;
  let lines = 0;
  let covered = 0;
  let isComment = false;
  for (const line of source.split("\n")) {
    const code = line.trimStart();
    const start = at + line.length - code.length;
    at += line.length + 1;
    if (isComment || code.startsWith("/*")) {
      isComment = !code.includes("*/");
      continue;
    }
    if (!/[a-zA-Z0-9]/.test(code) || code.startsWith("//")) continue;
    lines += 1;
    if (marks[start] === 1) covered += 1;
  }
  return { file, covered, lines };
}
