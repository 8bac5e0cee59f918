import { expect, test } from "vitest";
import { compare } from "./house/compare.mjs";
import { exceptions } from "./house/exceptions.mjs";
import { findUnusedExports, sourceRules } from "./house/rules.mjs";
import { sourceOf } from "./house/sources.mjs";

const product = "packages/core/chain/src/Dag.ts";

/** Returns the findings of a rule in a source, as `line: what`. */
function found(rule: keyof typeof sourceRules, text: string, path = product): string[] {
  return sourceRules[rule].find(sourceOf(path, text)).map(({ line, what }) => `${line}: ${what}`);
}

test("a banned word in a name is found, in code and in the name of the file, but not in comments and texts", () => {
  const text = `// pace\nconst x = "pace"; /* pace */\nconst blockPace = \`\${paceOf}\` / 2 / pace;\nconst space = 1;`;
  expect(found("bannedWords", text)).toEqual(["3: blockPace", "3: paceOf", "3: pace"]);
  expect(found("bannedWords", "", "packages/core/chain/src/Weather.ts")).toEqual(["1: Weather.ts"]);
  expect(found("bannedWords", "const pattern = /pace/; const outcomes = 1;")).toEqual([]);
});

test("a word that is banned in prose is found in comments and texts, as a whole word", () => {
  const text = `// It tells\nconst retell = "grpcTell";\ntest("is Told", f);\n// Heartbeats that nobody heard\n// anyBodies`;
  expect(found("bannedProse", text)).toEqual(["1: tells", "3: Told", "4: nobody"]);
});

test("a comment that begins with a riddle, or says of a program what people do, is found; code in it is not", () => {
  const text = [
    "/** What a thread holds. */",
    " * Of a block.",
    "// It says so, and stands there.",
    'const said = "What is said";',
    "/** @param ask `stands` as it is */",
    '//: case "what" stands',
    "// Returns what a thread holds.",
  ];
  expect(found("riddles", text.join("\n"))).toEqual(["1: What", "2: Of", "3: says"]);
});

test("earlier words for the dialects are found", () => {
  expect(found("dialectWords", "const rustForm = scalaForm; const newerForm = 1;")).toEqual([
    "1: rustForm",
    "1: scalaForm",
    "1: newerForm",
  ]);
  expect(found("dialectWords", "const isNewer = newer === trusted;")).toEqual([]);
});

test("private members begin with #, constructors cannot", () => {
  const text =
    "class A {\n  #one = 1;\n  private readonly two = 2;\n  private async three() {}\n  private constructor() {}\n}";
  expect(found("privateMembers", text)).toEqual(["3: two", "4: three"]);
});

test("an error class of product code has the base that all have", () => {
  const text =
    'class A extends Error {}\nexport class B extends errorClass("B", sentence) {}\ninterface C extends ErrorOptions {}';
  expect(found("bareErrors", text)).toEqual(["1: A"]);
  expect(found("bareErrors", text, "packages/core/chain/src/Dag.test.ts")).toEqual([]);
});

test("a dialect is no default in product code", () => {
  const text = "function f(form: BlockCodec = rnodeForm, { dialect = rnode.name }: O = {}) {}\nconst usual = rnode;";
  expect(found("dialectDefaults", text)).toEqual(["1: rnodeForm"]);
  expect(found("dialectDefaults", "function f(\n  form = f1r3nodeForm,\n) {}")).toEqual(["2: f1r3nodeForm"]);
  expect(found("dialectDefaults", 'function f(name: DialectName = "rnode") {}')).toEqual(['1: "rnode"']);
  expect(found("dialectDefaults", text, "packages/core/chain/src/Dag.test.ts")).toEqual([]);
});

test("a choice by the dialect is found", () => {
  const text = 'const a: Record<DialectName, number> = {};\nif (x === f1r3node) b();\nif (name !== "rnode-rust") c();';
  expect(found("dialectChoices", text)).toEqual(["1: Record<DialectName", "2: f1r3node", '3: "rnode-rust"']);
});

test("an export that no other source names is found; a name in a text counts", () => {
  const one = sourceOf(product, "export const alone = 1;\nexport function used() {}\nexport class Lazy {}\n");
  const other = sourceOf("packages/core/chain/src/Chain.ts", 'used(); load("Lazy");');
  expect(findUnusedExports([one, other])).toEqual([{ path: product, line: 1, what: "alone" }]);
});

test("exceptions count by file and by folder, and must not be larger than needed", () => {
  const at = (path: string) => ({ rule: "a", path, line: 1, what: "x" });
  const allowed = [{ rule: "a", reason: "", places: { "p/one.ts": 1, "p/": 2 } }];
  expect(compare([at("p/one.ts"), at("p/b.ts"), at("p/c.ts")], allowed)).toEqual([]);
  expect(compare([at("p/one.ts"), at("p/b.ts")], allowed)).toEqual([
    "scripts/house/exceptions.mjs: a of p/ is 1 now: lower it or take it out",
  ]);
  expect(compare([at("p/one.ts"), at("p/one.ts"), at("p/b.ts"), at("p/c.ts"), at("q.ts")], allowed)).toEqual([
    "q.ts:1: x (a)",
    "p/one.ts: 2 instead of 1 (a):",
    "p/one.ts:1: x (a)",
    "p/one.ts:1: x (a)",
  ]);
});

test("every exception has a reason", () => {
  expect(exceptions.filter(({ reason }) => reason === "")).toEqual([]);
});
