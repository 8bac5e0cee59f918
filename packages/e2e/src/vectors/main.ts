// node dist/vectors/main.js <folder>: makes our own vectors anew.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { answeredEval, answeredMatch, answeredParse } from "@vedette/rholang/testing";
import { costly, evaluated, matched, parsed, randomProgram } from "./programs.js";
import { recordChain } from "./recordChain.js";

const randomPrograms = 3_000;
const longest = 120;

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new TypeError("usage: main.js <folder>");

const numbers = Array.from({ length: randomPrograms }, (_, index) => index);
const random = numbers
  .map((number) => [`random/${number}`, randomProgram(number)] as const)
  .filter(([, term]) => term.length <= longest)
  .map(([id, term]) => answeredParse(id, term));
writeLines("20-rholang/parse.jsonl", [
  ...Object.entries(parsed).map(([id, term]) => answeredParse(id, term)),
  ...Object.entries(evaluated).map(([id, term]) => answeredParse(`run/${id}`, term)),
  ...random,
]);
writeLines("21-evaluation/eval.jsonl", [
  ...Object.entries(evaluated).map(([id, term]) => answeredEval(id, term)),
  ...Object.entries(costly).map(([id, [term, limit]]) => answeredEval(`costly/${id}`, term, limit)),
]);
writeLines(
  "22-matching/match.jsonl",
  Object.entries(matched).map(([id, [target, pattern]]) => answeredMatch(id, target, pattern)),
);
await recordChain(join(folder, "chains", "own"));

function writeLines(file: string, lines: readonly object[]): void {
  const path = join(folder!, file);
  mkdirSync(join(path, ".."), { recursive: true });
  writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
}
