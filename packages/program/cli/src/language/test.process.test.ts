import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";

const vedette = fileURLToPath(new URL("../../bin/vedette.js", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "vedette-test-"));
const counter = `new counter, uriCh, deployId(\`rho:rchain:deployId\`), insert(\`rho:registry:insertArbitrary\`) in {
  contract counter(@n, ret) = { ret!(n + 1) } |
  insert!(bundle+{*counter}, *uriCh) | for (uri <- uriCh) { deployId!(*uri) }
}
`;
const tests = `//: deploy counter.rho

//: case one more
new ret, found in {
  lookup!($$deployed$$, *found) | for (counter <- found) { counter!(1, *ret) | answers!(*ret, 2) }
}

//: case wrong
equal!(1, 1) |
  equal!("a" ++ "b", "abc") |
  differ!(1, 1) | stdout!("seen")

//: case for ever
new l in { contract l(_) = { l!(1) } | l!(1) | holds!(true) }

//: case says nothing
Nil

//: case fails while running
@0!(1 + true)

//: case does not compile
holds!(true) |
  for (x <-
`;

function run(args: readonly string[]) {
  const given = {
    cwd: folder,
    encoding: "utf8",
    env: { ...process.env, XDG_CACHE_HOME: join(folder, "cache") },
  } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, [vedette, "test", ...args], given);
  return { status, stdout, stderr };
}

beforeAll(() => {
  writeFileSync(join(folder, "counter.rho"), counter);
  writeFileSync(join(folder, "counter.test.rho"), tests);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("a failure is reported with place, expected and actual; a case that never ends is stopped", () => {
  const { status, stdout } = run(["--time-limit", "15000", "--phlo-limit", "90000000000", "--junit", "junit.xml"]);
  expect(status).toBe(1);
  for (const part of [
    "FAILED wrong\n",
    '  counter.test.rho:10:3: Two values differ\n    expected  "abc"\n    actual    "ab"\n',
    "  counter.test.rho:11:3: Two values are equal\n    expected  another value\n    actual    1\n",
    '    stdout: "seen"\n',
    "  counter.test.rho:13: It did not come to its end within 15000 ms (--time-limit)\n",
    "  counter.test.rho:17: Another number of checks was sent\n    expected  at least one check\n    actual    0\n",
    "  counter.test.rho:20:1: coop.rchain.rholang.interpreter.errors$OperatorExpectedError",
    "  counter.test.rho:26:1: coop.rchain.rholang.interpreter.errors$SyntaxError",
    "1 passed, 5 failed in 1 file\n",
  ])
    expect(stdout).toContain(part);
  // The steps of the case itself have places of the file.
  expect(stdout).toMatch(/\n {2}its last steps:\n( {4}.*\n)*? {4} ?\d+ {2}10:3 +produce +-?\d+ phlo {2}@\{.*\n/);
  const xml = readFileSync(join(folder, "junit.xml"), "utf8");
  expect(xml).toContain('<testsuite name="counter.test.rho" tests="6" failures="5" errors="0" skipped="0">');
  expect(xml).toContain("expected: &quot;abc&quot;&#10;actual: &quot;ab&quot;");
});

test("costs are reported and compared with a snapshot, genesis is kept for the next time", () => {
  const first = run(["--filter", "one more", "--phlo-report", "--cost-baseline", "phlo.txt"]);
  expect(first).toMatchObject({ status: 0, stdout: expect.stringMatching(/\n1 passed, 0 failed in 1 file\n$/) });
  expect(first.stdout).toMatch(/^\d+ {2}counter\.test\.rho › one more\n/);
  expect(run(["--filter", "one more", "--cost-baseline", "phlo.txt"]).status).toBe(0);
  writeFileSync(join(folder, "phlo.txt"), "counter.test.rho › one more: 5\ncounter.test.rho › old: 1\n");
  const { status, stdout } = run(["--filter", "one more", "--cost-baseline", "phlo.txt"]);
  expect(status).toBe(1);
  expect(stdout).toMatch(/one more: \d+, was 5 \(\+[\d.]+ %\)\ncounter.test.rho › old: gone\n/);
});

test("a file with an unknown directive and a folder without cases are reported", () => {
  writeFileSync(join(folder, "bad.txt"), "//: case a\n//: speed 5\nNil\n");
  expect(run(["bad.txt"])).toMatchObject({
    status: 1,
    stdout: "FAILED (the file)\n  bad.txt:1: bad.txt: unknown directive //: speed 5\n0 passed, 1 failed in 1 file\n",
  });
  expect(run(["--filter", "no such"]).stdout).toContain("There are no cases");
});

test("coverage of a contract is written in the form of lcov", () => {
  const { status } = run(["counter.test.rho", "--filter", "one more", "--coverage", "lcov.info"]);
  expect(status).toBe(0);
  const lines = readFileSync(join(folder, "lcov.info"), "utf8")
    .replace(/^SF:.*\//m, "SF:")
    .split("\n");
  expect(lines).toEqual(["TN:", "SF:counter.rho", "DA:2,1", "DA:3,1", "LF:2", "LH:2", "end_of_record", ""]);
});

const f1r3nodeTests = `//: deploy counter.rho

//: case one more
new ret, found in {
  lookup!($$deployed$$, *found) | for (counter <- found) { counter!(1, *ret) | answers!(*ret, 2) }
}

//: case vaults by the newer name
new found in { lookup!(\`rho:vault:system\`, *found) | for (@(_, vault) <- found) { differ!(vault, Nil) } }

//: case the token of the network
new found, ret in {
  lookup!(\`rho:system:tokenMetadata\`, *found) | for (@(_, token) <- found) { differ!(token, Nil) }
}

//: case numbers of that dialect, and a guard
new c in { c!(7) | for (@x <- c where x > 3) { equal!(x, 7) } | equal!(1.5f64 + 1.0f64, 2.5f64) }

//: case wrong
  equal!("a" ++ "b", "abc")

//: case wrong behind a guard
  match [1.5] { [y] where true => equal!(y, 2.5) }

//: case of the other dialect
//: dialect rnode
equal!(1, 2)

//: case fails there in other words
//: fails OperatorExpectedError
//: newer fails is not defined on
@0!(1 + true)
`;

test("on the genesis of an f1r3node network, by its rules", () => {
  writeFileSync(join(folder, "newer.test.rho"), f1r3nodeTests);
  const { status, stdout, stderr } = run(["newer.test.rho", "--dialect", "f1r3node", "--coverage", "newer.info"]);
  expect(stderr).toBe("");
  expect(stdout).toContain(
    'FAILED wrong\n  newer.test.rho:20:3: Two values differ\n    expected  "abc"\n    actual    "ab"\n',
  );
  expect(stdout).toContain("FAILED wrong behind a guard\n  newer.test.rho:23:35: Two values differ\n");
  expect(stdout).toMatch(/ 23:35 +produce +\d+ phlo /);
  // A step of the case itself, and the end.
  expect(stdout).toMatch(/ 20:3 +produce +\d+ phlo [\s\S]*\n5 passed, 2 failed in 1 file\n$/);
  expect(status).toBe(1);
  expect(readFileSync(join(folder, "newer.info"), "utf8")).toMatch(/^SF:.*counter\.rho\nDA:2,7$/m);
  const { stdout: other } = run(["newer.test.rho", "--filter", "newer name"]);
  expect(other).toMatch(/^FAILED vaults by the newer name\n[\s\S]*Another number of checks was sent/);
});
