import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

const module = fileURLToPath(new URL("../../dist/testing/stuckWriter.js", import.meta.url));
let stateDirectory: string;
beforeEach(() => (stateDirectory = mkdtempSync(join(tmpdir(), "vedette-writer-"))));
afterEach(() => rmSync(stateDirectory, { recursive: true }));

/** Runs a scene in a process of its own. @returns how it ended, its lines, and what it printed as errors */
function run(scene: string): Promise<{ code: unknown; lines: unknown[]; errors: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [module, stateDirectory, scene], (error, output, errors) => {
      const lines = output.trim().split("\n").filter(Boolean);
      resolve({ code: error?.code ?? 0, lines: lines.map((line) => JSON.parse(line)), errors });
    });
  });
}

describe("a thread that stops within a transaction", () => {
  // The transaction that was not complete has left nothing, and the store can be written again.
  afterEach(async () => expect(await run("read")).toMatchObject({ code: 0, lines: [[1], 2] }));

  test("by the exit of its process: the process ends with its exit code", async () => {
    expect(await run("exit")).toEqual({ code: 3, lines: ["wrote 1"], errors: "" });
  });

  test("by an error of the main thread: the process ends and prints it", async () => {
    const { code, lines, errors } = await run("throw");
    expect({ code, lines }).toEqual({ code: 1, lines: ["wrote 1"] });
    expect(errors).toContain("Error: of the main thread");
  });

  test("by a full heap: the process reports it and ends", async () => {
    expect(await run("heap")).toMatchObject({ code: 9, lines: ["wrote 1", "stuck"] });
  });
});

test("a thread whose heap is nearly full begins no transaction, and writes when there is room again", async () => {
  expect(await run("refuse")).toEqual({
    code: 0,
    lines: ["ExecutionError: The evaluation was given up: memory", "wrote 2"],
    errors: "",
  });
});
