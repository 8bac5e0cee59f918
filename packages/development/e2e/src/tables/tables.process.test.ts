import { databaseKinds, TestPlaces } from "@vedette/indexer/testing";
import { ownChain } from "@vedette/testing";
import { expect, test } from "vitest";
import { RecordedNetwork } from "../network/recordedNetwork.js";
import { killIndex } from "./IndexProcess.js";
import { completeIndex, differencesAt, expectationOf } from "./TableChecks.js";

test("every table of every database matches the HTTP API, after a kill too", async () => {
  await using network = new RecordedNetwork(ownChain);
  const node = await network.serve();
  await node.line(/HTTP API server started/);
  const { http, adminHttp } = node.ports;
  const asked = { http: `http://127.0.0.1:${http}`, admin: `http://127.0.0.1:${adminHttp}` };
  const expected = await expectationOf(asked);
  const differences = databaseKinds.map(async (kind) => {
    await using places = new TestPlaces(kind);
    const place = await places.place();
    await killIndex(place, asked, { transactions: 0, afterMs: 0 });
    await completeIndex(place, asked);
    return [kind, await differencesAt(place, expected)];
  });
  expect(await Promise.all(differences)).toEqual(databaseKinds.map((kind) => [kind, []]));
});
