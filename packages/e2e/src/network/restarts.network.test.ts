import { expect, test } from "vitest";
import { expectRestarts } from "./expectRestarts.js";

// The long one is restarts.long.test.ts.
test("an observer and its bootstrap that were killed have peers and all blocks again, and a validator proposes at once", async () => {
  expect.hasAssertions();
  await expectRestarts({ kills: 1, missed: 8 });
});
