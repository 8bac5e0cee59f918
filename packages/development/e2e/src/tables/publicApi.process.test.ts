import { databaseKinds, TestPlaces } from "@vedette/indexer/testing";
import { openDatabase } from "@vedette/indexer/writing";
import { ownChain } from "@vedette/testing";
import { expect, test } from "vitest";
import { RecordedNetwork } from "../network/recordedNetwork.js";
import { differencesOf } from "./compareTables.js";
import { killIndex } from "./IndexProcess.js";
import { PublicRoutes, publicTables } from "./PublicRoutes.js";
import { completeIndex, expectationOf } from "./TableChecks.js";

test("an index of rnode's routes alone has what they return, after kills too, and leaves the rest empty", async () => {
  await using network = new RecordedNetwork(ownChain);
  const node = await network.serve();
  await node.line(/HTTP API server started/);
  const { http, adminHttp } = node.ports;
  const asked = { http: `http://127.0.0.1:${http}`, admin: `http://127.0.0.1:${adminHttp}` };
  const { chain } = await expectationOf(asked);
  await using routes = await PublicRoutes.before(asked.http);
  const open = { ...asked, admin: routes.url };
  const differences = databaseKinds.map(async (kind) => {
    await using places = new TestPlaces(kind);
    const place = await places.place();
    await killIndex(place, open, { transactions: 1, afterMs: 0 });
    await killIndex(place, open, { transactions: 0, afterMs: 50 });
    await completeIndex(place, open);
    await using database = await openDatabase(place);
    return [kind, await differencesOf(database, publicTables(chain))];
  });
  expect(await Promise.all(differences)).toEqual(databaseKinds.map((kind) => [kind, []]));
  expect([...routes.refused]).toEqual(["POST /v2/feed"]);
});
