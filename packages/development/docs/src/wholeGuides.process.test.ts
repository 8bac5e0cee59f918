import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { DevProcess, patienceMs, program } from "@vedette/cli/testing";
import { afterAll, expect, test } from "vitest";
import { root } from "./documents.js";
import { wholeGuides } from "./notRun.js";
import { guideScript } from "./shellCommands.js";

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), "vedette-guides-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The output of its last command, or of one before it, if all went well. */
const shown: Readonly<Record<(typeof wholeGuides)[number], RegExp>> = {
  "docs/how-to/dev.md": /"blockNumber": ?21/,
  "docs/tutorial/voting-app.md": /^\{"tea" ?: ?1\}$/m,
  "docs/how-to/backend.md": /^paid: 500000000 by 1111ykYjogPNjrAN7W3AU7RHj49r8GnBBHC82TBbRZTcPCwuL3ZH1$/m,
};

/** It is running already, or wants the network. */
const notHere = /^vedette dev\b|^npm install /;

test.each(wholeGuides)("a reader who follows %s from an empty folder reaches its end", async (path) => {
  const here = mkdtempSync(join(folder, "reader-"));
  mkdirSync(join(here, "bin"));
  symlinkSync(program, join(here, "bin/vedette"));
  symlinkSync(join(root, "node_modules"), join(here, "node_modules"));
  const contexts = { VEDETTE_CONTEXTS: join(here, "contexts.json") };
  // One cache for all: genesis is made once.
  await using chain = await DevProcess.start([], { XDG_CACHE_HOME: folder, ...contexts });
  const { ports } = chain.ready;
  const steps = guideScript(path).filter((step) => !notHere.test(step));
  expect(steps.length).toBeGreaterThan(8);
  const commands = steps.map((step) =>
    step
      .replaceAll("localhost:40405", `localhost:${ports.adminHttp}`)
      .replaceAll("localhost:40403", `localhost:${ports.http}`)
      .replace(/^curl /, "curl --silent --show-error --fail-with-body "),
  );
  if (path === "docs/how-to/dev.md") commands.push(`curl --silent localhost:${ports.adminHttp}/dev`);
  const env = { ...process.env, PATH: `${join(here, "bin")}:${process.env["PATH"]}`, HOME: folder, ...contexts };
  // One shell, as the reader's: what is set stays.
  const script = ["set -euo pipefail", ...commands].join("\n");
  const { stdout } = await run("bash", ["-c", script], { cwd: here, env, timeout: Math.ceil(patienceMs()) });
  expect(stdout).toMatch(shown[path]);
});
