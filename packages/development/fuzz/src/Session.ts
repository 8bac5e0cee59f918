import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import type { FileCoverage } from "./driver/Coverage.js";
import type { FuzzFailure } from "./driver/FuzzFailure.js";
import { type RunOrder, type RunReport, runTarget } from "./driver/runTarget.js";
import type { Target } from "./driver/Target.js";

const directory = ".vedette/fuzz";
const shownCharacters = 2_000;

interface Row {
  readonly target: string;
  readonly report: RunReport | undefined;
  readonly findings: number;
}

/** Runs targets one after the other, and prints progress and a table at the end. */
export class Session {
  readonly #write: (text: string) => void;
  readonly #rows: Row[] = [];

  constructor(write: (text: string) => void) {
    this.#write = write;
  }

  get findings(): number {
    return this.#rows.reduce((sum, row) => sum + row.findings, 0);
  }

  async run(target: Target, order: RunOrder): Promise<void> {
    let findings = 0;
    const report = await runTarget(target, order, {
      onFinding: (finding) => {
        findings += 1;
        this.#report(target.name, finding);
      },
      onProgress: (inputs, corpus, count) => {
        if (process.stdout.isTTY) this.#write(`\r${target.name}: ${inputs} inputs, ${corpus} kept, ${count} found  `);
      },
    });
    if (process.stdout.isTTY) this.#write("\r\u001b[K");
    this.#rows.push({ target: target.name, report, findings });
    this.#write(`${lineOf(this.#rows.at(-1)!)}\n`);
    for (const { height, shown } of report?.best ?? [])
      this.#write(`${height.toFixed(2).padStart(10)} ${shown.slice(0, shownCharacters)}\n`);
  }

  printTable(withFiles: boolean): void {
    this.#write(`\n${header}\n`);
    for (const row of this.#rows) {
      this.#write(`${lineOf(row)}\n`);
      if (withFiles) for (const file of row.report?.files ?? []) this.#write(`    ${fileLine(file)}\n`);
    }
  }

  #report(target: string, { key, message, input, shown }: FuzzFailure): void {
    mkdirSync(`${directory}/${target}`, { recursive: true });
    const name = createHash("sha256").update(key).digest("hex").slice(0, 12);
    const path = `${directory}/${target}/${name}`;
    writeFileSync(path, input);
    this.#write(`\n${target}: ${message}\n  input: ${shown.slice(0, shownCharacters)}\n`);
    this.#write(`  again: npm run fuzz -- ${target} --again ${path}\n`);
  }
}

const header = columns("target", "inputs", "inputs/s", "coverage", "corpus", "slowest ms", "found");

function lineOf({ target, report, findings }: Row): string {
  if (report === undefined) return `${columns(target, "", "", "", "", "", String(findings))} (not finished)`;
  const { inputs, elapsedMs, corpus, slowestMs, files } = report;
  const speed = Math.round((inputs / elapsedMs) * 1_000);
  const slowest = slowestMs.toFixed(0);
  return columns(target, String(inputs), String(speed), share(files), String(corpus), slowest, String(findings));
}

function columns(target: string, ...rest: string[]): string {
  return [target.padEnd(18), ...rest.map((cell) => cell.padStart(10))].join(" ");
}

function share(files: readonly FileCoverage[]): string {
  const lines = files.reduce((sum, file) => sum + file.lines, 0);
  const covered = files.reduce((sum, file) => sum + file.covered, 0);
  return lines === 0 ? "-" : `${((100 * covered) / lines).toFixed(1)} %`;
}

function fileLine(file: FileCoverage): string {
  return `${file.file.padEnd(48)} ${share([file]).padStart(8)} of ${file.lines} lines`;
}
