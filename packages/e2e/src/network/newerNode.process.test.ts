import { recordedDirectory } from "@vedette/testing";
import { describe, expect, test } from "vitest";
import { RecordedNetwork, untilSynced } from "./recordedNetwork.js";

const isThere = recordedDirectory("chains-r") !== undefined;
const skipped = isThere ? "" : " (skipped: not here)";

describe.skipIf(!isThere)(`networks of the newer node${skipped}`, () => {
  test.each([
    ["solo-r", 32n],
    ["trio-r", 10n],
  ])(
    "an observer replays %s from genesis, and ends where the recording does",
    async (chain, height) => {
      await using network = new RecordedNetwork(chain);
      const server = await network.serve();
      const observer = await network.observer("replayAll", "observer");
      await untilSynced(observer, server, 200_000);
      const { lastFinalizedBlockNumber } = JSON.parse(await observer.get("/api/status"));
      expect(lastFinalizedBlockNumber).toBe(JSON.parse(await server.get("/api/status")).lastFinalizedBlockNumber);
      expect(BigInt(JSON.parse(await observer.get("/api/blocks/1"))[0].blockNumber)).toBe(height);
    },
    300_000,
  );
});
