import { expect, test } from "vitest";
import { checkSystemDeploys } from "./checkSystemDeploys.js";

test("a system deploy of another return channel differs", () => {
  const vector = { kind: "close", seed: "07", returnChannel: "3a00", bytes: "", channelHash: "" };
  const [checked] = checkSystemDeploys(JSON.stringify(vector));
  expect(checked!.id).toBe("close");
  expect(checked!.differences[0]).toContain("returnChannel: expected 3a00, ours 3a24");
});
