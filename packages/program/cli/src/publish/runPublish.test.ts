import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeData } from "@vedette/node/testing";
import { afterAll, expect, test } from "vitest";
import { runPublish } from "./runPublish.js";

const folder = mkdtempSync(join(tmpdir(), "vedette-publish-"));
afterAll(() => rmSync(folder, { recursive: true }));

test("wrong options and a directory without a chain to publish are refused", async () => {
  const dataDir = join(folder, "none");
  await expect(runPublish({ dataDir })).rejects.toThrow("There is no data in");
  await expect(runPublish({ dataDir, nats: "localhost" })).rejects.toThrow("--nats must be URLs such as nats://");
  await expect(runPublish({ dataDir, replicas: "6" })).rejects.toThrow("--replicas must be a number from 1 to 5");
  await expect(runPublish({ dataDir, keepDays: "0" })).rejects.toThrow("--keep-days must be a number from 1 to 36500");
  await expect(runPublish({ dataDir, name: "two words" })).rejects.toThrow("--name must be 1 to 64 characters");
  const made = join(folder, "made");
  await makeData(made, 1);
  await expect(runPublish({ dataDir: made })).rejects.toThrow("start its node first");
});
