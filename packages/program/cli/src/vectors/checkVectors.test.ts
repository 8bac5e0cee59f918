import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, expect, test } from "vitest";
import { checkVectors } from "./checkVectors.js";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "vedette-vectors-ö "));
});
afterEach(() => rmSync(folder, { recursive: true }));

const right = { id: "right", term: "@0!(2)", limit: 10_000, expect: { cost: 97, errors: [], mergeable: [] } };
const wrong = { ...right, id: "wrong", expect: { ...right.expect, cost: 98 } };

function write(name: string, content: string | Uint8Array): void {
  const path = join(folder, name);
  mkdirSync(join(path, ".."), { recursive: true });
  writeFileSync(path, content);
}

const lines = (...vectors: readonly object[]) => vectors.map((vector) => `${JSON.stringify(vector)}\n`).join("");

function run(path = folder): { readonly exitCode: number; readonly printed: readonly string[] } {
  const printed: string[] = [];
  const exitCode = checkVectors({ command: "vectors", path, maxDifferences: 5, dialect: undefined }, (line) =>
    printed.push(line),
  );
  return { exitCode, printed };
}

test("files are checked as they are and compressed, and a wrong answer fails with what differs", () => {
  write("rnode/eval.jsonl", lines(right));
  write("rnode/eval-more.jsonl.gz", gzipSync(lines(right, wrong)));
  expect(run()).toEqual({
    exitCode: 1,
    printed: [
      "rnode/eval-more.jsonl.gz: 1 passed, 1 failed",
      "  wrong",
      "    play: cost: expected 98, ours 97 (-1 more)",
      "    play: charges: 6 11 4 4 8 64",
      "rnode/eval.jsonl: 1 passed, 0 failed",
      "2 files, 2 passed, 1 failed",
    ],
  });
});

test("a folder without vectors fails", () => {
  expect(run().exitCode).toBe(1);
  expect(run().printed[0]).toMatch(/^no vectors in /);
});

test("each folder's suite.json states the dialect of its answers", () => {
  write("rnode/parse.jsonl", lines({ id: "a", term: "`rho:a`", expect: { error: { class: "ParserError" } } }));
  write("f1r3node/suite.json", JSON.stringify({ dialect: "f1r3node" }));
  write("f1r3node/41/system-deploys.jsonl", lines({ kind: "close", seed: "07", returnChannel: "", bytes: "" }));
  const { printed } = run();
  expect(printed[0]).toBe("f1r3node/41/system-deploys.jsonl: 0 passed, 1 failed");
});

test("a known failure passes the run, and fails it once it is answered as recorded", () => {
  const knownFailures = { "21/eval": { reason: "another price", ids: ["wrong"] } };
  write("suite.json", JSON.stringify({ knownFailures }));
  write("21/eval.jsonl", lines(right, wrong));
  expect(run()).toEqual({
    exitCode: 0,
    printed: ["21/eval.jsonl: 1 passed, 0 failed, 1 known failures", "1 files, 1 passed, 0 failed, 1 known failures"],
  });
  write("21/eval.jsonl", lines(right, { ...wrong, expect: right.expect }));
  const { exitCode, printed } = run();
  expect(exitCode).toBe(1);
  expect(printed).toContain("    passes: remove its id from knownFailures in suite.json");
});

test("a known failure that the file does not have fails the run", () => {
  write("suite.json", JSON.stringify({ knownFailures: { eval: { reason: "another price", ids: ["gone"] } } }));
  write("eval.jsonl", lines(right));
  const { exitCode, printed } = run();
  expect(exitCode).toBe(1);
  expect(printed[0]).toBe("eval.jsonl: 1 passed, 1 failed");
  expect(printed).toContain("    is not in the file: remove it from knownFailures in suite.json");
});

test("a vector that rnode does not determine is counted apart", () => {
  write("not-determined.json", JSON.stringify(["wrong"]));
  write("eval.jsonl", lines(right, wrong));
  expect(run()).toEqual({
    exitCode: 0,
    printed: [
      "eval.jsonl: 1 passed, 0 failed, 1 not determined",
      "  wrong is not determined",
      "1 files, 1 passed, 0 failed, 1 not determined",
    ],
  });
});

test("a file that ends too early is named, and the others are checked", () => {
  const bytes = gzipSync(lines(right));
  write("eval-cut.jsonl.gz", bytes.subarray(0, bytes.length - 9));
  write("eval.jsonl", lines(right));
  const { exitCode, printed } = run();
  expect(exitCode).toBe(1);
  expect(printed).toEqual([
    expect.stringMatching(/^eval-cut\.jsonl\.gz: cannot be read: /),
    "eval.jsonl: 1 passed, 0 failed",
    "2 files, 1 passed, 0 failed, 1 damaged files",
  ]);
});

test("a file of another content than its checksum's, a missing one and one that is not listed are named", () => {
  const sum = createHash("sha256").update(lines(right)).digest("hex");
  write("SHA256SUMS", `${sum}  rnode/21/eval.jsonl\n${sum}  rnode/21/eval-gone.jsonl\n`);
  write("rnode/21/eval.jsonl", lines(wrong));
  write("rnode/21/eval-new.jsonl", lines(right));
  const { exitCode, printed } = run();
  expect(exitCode).toBe(1);
  expect(printed).toEqual([
    expect.stringMatching(/^rnode\/21\/eval-new\.jsonl: damaged: it is not listed in .*SHA256SUMS$/),
    expect.stringMatching(/^rnode\/21\/eval\.jsonl: damaged: its content is not the one that .*SHA256SUMS lists$/),
    expect.stringMatching(/^rnode\/21\/eval-gone\.jsonl: damaged: it is missing, and .*SHA256SUMS lists it$/),
    "2 files, 0 passed, 0 failed, 3 damaged files",
  ]);
  write("rnode/21/eval.jsonl", lines(right));
  expect(run(join(folder, "rnode/21/eval.jsonl"))).toEqual({
    exitCode: 0,
    printed: [`${join(folder, "rnode/21/eval.jsonl")}: 1 passed, 0 failed`, "1 files, 1 passed, 0 failed"],
  });
});
