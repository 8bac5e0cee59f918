import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const program = fileURLToPath(new URL("../../dist/testing/nodeChurn.js", import.meta.url));

test("nodes that come and go at any moment do not corrupt the memory of the process", async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [program, "120"]);
  expect(stdout).toBe("done\n");
});
