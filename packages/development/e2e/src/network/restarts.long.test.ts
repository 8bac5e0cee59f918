// Covers: network, node
import { expect, test } from "vitest";
import { expectRestarts } from "./expectRestarts.js";

const kills = Number(process.env["VEDETTE_LONG_RESTARTS"] ?? 10);

test(`an observer that is killed ${kills} times, and its bootstrap a quarter as often, have peers and all blocks again`, async () => {
  expect.hasAssertions();
  await expectRestarts({ kills, missed: 20 });
});
