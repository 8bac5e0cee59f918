import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";

const vedette = fileURLToPath(new URL("../../bin/vedette.js", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "vedette-lint-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function lint(args: readonly string[], input = "") {
  const given = { cwd: folder, input, encoding: "utf8" } as const;
  const { status, stdout } = spawnSync(process.execPath, [vedette, "lint", ...args], given);
  return { status, stdout };
}

test("remarks come with place and rule and exit code 1, for people and as JSON", () => {
  writeFileSync(join(folder, "a.rho"), "new a,\n  b in {\n  a!(1)\n}\n");
  writeFileSync(join(folder, "b.rho"), "new a in {");
  writeFileSync(join(folder, "c.rho"), Buffer.from([0xff]));
  expect(lint([])).toEqual({
    status: 1,
    stdout: [
      "a.rho:2:3: warning: b is never used [unused-name]",
      "b.rho:1:11: error: syntax error(EOF):  at 1:11-1:11 [SyntaxError]",
      "c.rho:1:1: error: c.rho is no UTF-8 text; save it as UTF-8 [unreadable]",
      "3 files, 3 remarks\n",
    ].join("\n"),
  });
  expect(JSON.parse(lint(["--json", "a.rho"]).stdout)).toEqual({
    files: 1,
    remarks: [
      {
        ...{ path: "a.rho", line: 2, column: 3, endLine: 2, endColumn: 4 },
        ...{ severity: "warning", rule: "unused-name", message: "b is never used" },
      },
    ],
  });
});

test("a program without remarks, from the standard input, is exit code 0", () => {
  expect(lint(["-"], "new a in { a!(1) }")).toEqual({ status: 0, stdout: "1 file, nothing to remark\n" });
});

test("each dialect has its own grammar and its own channels", () => {
  const program = "new vaults(`rho:vault:address`) in { match 1 { x where x > 0 => vaults!(x) } }";
  expect(lint(["-"], program)).toMatchObject({ status: 1, stdout: expect.stringContaining("[SyntaxError]") });
  expect(lint(["--dialect", "f1r3node", "-"], program)).toEqual({ status: 0, stdout: "1 file, nothing to remark\n" });
});
