import { readFileSync } from "node:fs";
import { join } from "node:path";
import { recordedDirectory } from "@vedette/testing";
import { expect, test } from "vitest";
import { checkSystemDeploys } from "./checkSystemDeploys.js";

const vectors = recordedDirectory("vectors-r");

test.skipIf(vectors === undefined)("system deploys are those of the newer node", () => {
  const text = readFileSync(join(vectors!, "41-execution/system-deploys.jsonl"), "utf8");
  expect(checkSystemDeploys(text)).toEqual({ checked: 4, failed: [], notDetermined: [] });
});

test("a system deploy of another return channel is told", () => {
  const vector = { kind: "close", seed: "07", returnChannel: "3a00", bytes: "", channelHash: "" };
  const { failed } = checkSystemDeploys(JSON.stringify(vector));
  expect(failed[0]!.id).toBe("close");
  expect(failed[0]!.differences[0]).toContain("returnChannel: expected 3a00, ours 3a24");
});
