import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { usualCases } from "../../packages/development/testing/dist/usualCases.js";
import { made, releaseFolder, root } from "./madeRelease.js";
import { nodeBinaries, nodeFolder } from "./nodeBinary.mjs";
import { tryNetwork } from "./tryNetwork.js";

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), "vedette-release-"));
const cache = join(releaseFolder, ".cache/npm");

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("both npm packages", () => {
  test.each([made.program, made.client])("publint and are-the-types-wrong find nothing in %s", async (file) => {
    const tool = (path: string) => join(root, "node_modules", path);
    const checked = await run(process.execPath, [tool("publint/src/cli.js"), "run", "--strict", file]);
    expect(checked.stdout).toContain("All good!");
    const attw = tool("@arethetypeswrong/cli/dist/index.js");
    // A program that still resolves as Node.js 10 did, or calls `require`, cannot use packages that are modules only.
    await run(process.execPath, [attw, "--profile", "esm-only", file]);
  });

  test("the same sources give the same bytes", async () => {
    const hashes = () =>
      [made.program, made.client].map((file) => createHash("sha256").update(readFileSync(file)).digest("hex"));
    const before = hashes();
    await run(process.execPath, ["scripts/release/main.mjs", "--npm"], { cwd: root });
    expect(hashes()).toEqual(before);
  });
});

const versions = Object.keys(nodeBinaries);

// The newest; all of them are tried with `VEDETTE_TEST_CASES=all`.
describe.each(usualCases(versions))("on Node.js %s", (version) => {
  const home = join(folder, version);
  let env: NodeJS.ProcessEnv = {};

  beforeAll(() => {
    const node = nodeFolder(version as keyof typeof nodeBinaries, join(releaseFolder, ".cache"));
    mkdirSync(home);
    // npx's installation for one Node.js is not for the next.
    rmSync(join(cache, "_npx"), { recursive: true, force: true });
    env = {
      ...process.env,
      PATH: `${join(node, "bin")}${delimiter}${process.env["PATH"]}`,
      HOME: home,
      npm_config_cache: cache,
      npm_config_yes: "true",
      npm_config_update_notifier: "false",
    };
  });

  test("npx runs a network and a node of it in an empty folder", async () => {
    const vedette = ["npx", `file:${made.program}`];
    const { stdout } = await run("npx", [`file:${made.program}`, "--version"], { cwd: home, env });
    expect(stdout).toMatch(/^Vedette \d/);
    const [networkMs = 0, runMs = 0] = await tryNetwork(vedette, { cwd: join(home, "empty"), env });
    const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;
    process.stdout.write(`Node.js ${version}: network ${seconds(networkMs)}, run ${seconds(runMs)}\n`);
  });
});

test("the program's package is small", () => {
  process.stdout.write(`vedette: ${statSync(made.program).size} bytes\n`);
  // Some 590,000 of it are the interpreter that pages run, as it is and compressed; 480,000 are what executor and reader
  // have twice, so that a thread starts in a fifth less time.
  expect(statSync(made.program).size).toBeLessThan(4_500_000);
});
