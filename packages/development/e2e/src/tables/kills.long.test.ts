// Covers: indexer, queries
import { execFile } from "node:child_process";
import { rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { IndexLocation } from "@vedette/indexer";
import { databaseKinds, TestPlaces } from "@vedette/indexer/testing";
import { ownChain, seededRandom, seedOfToday } from "@vedette/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { RecordedNetwork } from "../network/recordedNetwork.js";
import { killIndex } from "./IndexProcess.js";
import { completeIndex, differencesAt, type Expectation, expectationOf, type NodeEndpoint } from "./TableChecks.js";

const run = promisify(execFile);
const chainProgram = fileURLToPath(new URL("../../dist/chains/mixedChainProgram.js", import.meta.url));
const blocks = 2_000;
const kills = 30;
/** Each of the killed processes may write this many transactions, of some thirty that an index needs. */
const maxTransactions = 3;
/** Longer than a transaction takes. */
const longestMs = 150;

const network = new RecordedNetwork(ownChain);
let asked: NodeEndpoint;
let expected: Expectation;

beforeAll(async () => {
  const make = async (dataDir: string) => {
    await run(process.execPath, [chainProgram, dataDir, String(blocks)]);
  };
  const node = await network.serveMade(make, ["--max-number-of-parents=1", "--fault-tolerance-threshold=0"]);
  await node.line(/HTTP API server started/);
  asked = { http: `http://127.0.0.1:${node.ports.http}`, admin: `http://127.0.0.1:${node.ports.adminHttp}` };
  expected = await expectationOf(asked);
});
afterAll(() => network[Symbol.asyncDispose]());

describe.each(databaseKinds)("on %s, of a chain of 2000 blocks by three validators", (kind) => {
  const places = new TestPlaces(kind);
  afterAll(() => places[Symbol.asyncDispose]());

  test("every table matches the HTTP API", async () => {
    const place = await places.place();
    await completeIndex(place, asked);
    expect(await differencesAt(place, expected)).toEqual([]);
  });

  test("every table matches it after thirty kills (kill -9) of the index", async () => {
    const seed = seedOfToday();
    const random = seededRandom(seed);
    let place: IndexLocation = await places.place();
    let done = 0;
    while (done < kills) {
      const moment = { transactions: Math.floor(random() * maxTransactions), afterMs: random() * longestMs };
      if (await killIndex(place, asked, moment)) done += 1;
      else {
        // It came to the end: the next kills are amid another one.
        expect([seed, done, await differencesAt(place, expected)]).toEqual([seed, done, []]);
        if (place.kind === "sqlite") rmSync(place.path);
        place = await places.place();
      }
    }
    await completeIndex(place, asked);
    expect([seed, await differencesAt(place, expected)]).toEqual([seed, []]);
  });
});
