import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const program = fileURLToPath(new URL("../../dist/testing/forgottenPeers.js", import.meta.url));

test("of peers that are gone no connection is kept", async () => {
  const args = ["--no-warnings", program];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  expect(stdout).toMatch(/^[1-9]\d* done\n$/);
});
