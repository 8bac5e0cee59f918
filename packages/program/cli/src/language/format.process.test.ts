import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";

const vedette = fileURLToPath(new URL("../../bin/vedette.js", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "vedette-fmt-"));
const ugly = "new   x in{x!(1)|for(@y<-x){Nil}}";
const pretty = "new x in { x!(1) | for (@y <- x) { Nil } }\n";

function fmt(args: readonly string[], input = "") {
  const { status, stdout, stderr } = spawnSync(process.execPath, [vedette, "fmt", ...args], {
    cwd: folder,
    input,
    encoding: "utf8",
  });
  return { status, stdout, stderr };
}

beforeAll(() => {
  mkdirSync(join(folder, "deep/node_modules"), { recursive: true });
  for (const name of ["a.rho", "deep/b.rho", "deep/node_modules/c.rho"]) writeFileSync(join(folder, name), ugly);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("--check lists files that are not formatted and changes nothing; then fmt formats them", () => {
  expect(fmt(["--check"])).toEqual({
    status: 1,
    stdout: "a.rho is not formatted\ndeep/b.rho is not formatted\n2 files checked, 2 not formatted: run vedette fmt\n",
    stderr: "",
  });
  expect(readFileSync(join(folder, "a.rho"), "utf8")).toBe(ugly);
  expect(fmt([]).stdout).toBe("a.rho formatted\ndeep/b.rho formatted\n2 files, 2 changed\n");
  expect(readFileSync(join(folder, "deep/b.rho"), "utf8")).toBe(pretty);
  expect(readFileSync(join(folder, "deep/node_modules/c.rho"), "utf8")).toBe(ugly);
  expect(fmt(["--check", "--json", "deep"])).toMatchObject({
    status: 0,
    stdout: '{"files":[{"path":"deep/b.rho","changed":false}]}\n',
  });
});

test("the standard input is formatted to the standard output; what is wrong with it goes elsewhere", () => {
  expect(fmt(["-"], ugly)).toEqual({ status: 0, stdout: pretty, stderr: "" });
  const { status, stdout, stderr } = fmt(["-"], "new x {");
  expect([status, stdout]).toEqual([1, ""]);
  expect(stderr).toContain("syntax error(): { at 1:7-1:8");
});

test("each dialect has its own grammar, and places in errors are those of the text", () => {
  const program = "match 1 { x where x>0.5 => Nil }";
  expect(fmt(["-"], program).stderr).toContain("lay it out with --dialect f1r3node");
  expect(fmt(["--dialect", "f1r3node", "-"], program)).toEqual({
    ...{ status: 0, stdout: "match 1 { x where x > 0.5 => Nil }\n", stderr: "" },
  });
  const wrong = fmt(["--dialect", "f1r3node", "-"], "@0!(0.5, ]");
  expect(wrong.status).toBe(1);
  expect(wrong.stderr).toContain("1 | @0!(0.5, ]\n  |          ^");
});

test("files that cannot be read are refused in one sentence each, and the others are still formatted", () => {
  writeFileSync(join(folder, "latin.rho"), Buffer.from([0x22, 0xe9, 0x22]));
  writeFileSync(join(folder, "mark.rho"), "\ufeffNil");
  writeFileSync(join(folder, "windows.rho"), "/* a\r\n b */ Nil\r\n");
  writeFileSync(join(folder, "deep.rho"), `${"{".repeat(20_000)}Nil${"}".repeat(20_000)}`);
  writeFileSync(join(folder, "a.rho"), ugly);
  const { status, stdout } = fmt(["latin.rho", "mark.rho", "windows.rho", "deep.rho", "a.rho"]);
  expect(status).toBe(1);
  expect(stdout).toContain("latin.rho: latin.rho is no UTF-8 text; save it as UTF-8\n");
  expect(stdout).toContain("mark.rho: mark.rho begins with a byte order mark");
  expect(stdout).toContain("Block comments may not have Windows line ends");
  expect(stdout).toContain("deep.rho formatted\na.rho formatted\n5 files, 2 changed\n");
});

test("a path that does not exist is an error", () => {
  expect(fmt(["nowhere.rho"])).toMatchObject({ status: 1, stderr: expect.stringContaining("nowhere.rho") });
});
