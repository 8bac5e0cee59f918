// Covers: indexer, queries
import { databaseKinds, TestPlaces } from "@vedette/indexer/testing";
import { chainsThatAreThere } from "@vedette/testing";
import { afterAll, describe, expect, test } from "vitest";
import { RecordedNetwork } from "../network/recordedNetwork.js";
import { completeIndex, differencesAt, expectationOf } from "./TableChecks.js";

const chains = chainsThatAreThere("solo", "trio", "merge", "equivocation-v1", "equivocation-v3b");

describe.each(chains)("of the chain %s", (chain) => {
  const places = databaseKinds.map((kind) => [kind, new TestPlaces(kind)] as const);
  afterAll(async () => {
    for (const [, one] of places) await one[Symbol.asyncDispose]();
  });

  test("every table matches the HTTP API, on every database", async () => {
    await using network = new RecordedNetwork(chain);
    const node = await network.serve();
    await node.line(/HTTP API server started/);
    const { http, adminHttp } = node.ports;
    const asked = { http: `http://127.0.0.1:${http}`, admin: `http://127.0.0.1:${adminHttp}` };
    const expected = await expectationOf(asked);
    for (const [kind, made] of places) {
      const place = await made.place();
      await completeIndex(place, asked);
      expect([kind, await differencesAt(place, expected)]).toEqual([kind, []]);
    }
  });
});
