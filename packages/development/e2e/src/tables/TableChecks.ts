import { HttpClient } from "@vedette/client";
import { errorText } from "@vedette/errors";
import type { IndexLocation } from "@vedette/indexer";
import { IndexFollower, openDatabase, RemoteFeed } from "@vedette/indexer/writing";
import { until } from "@vedette/testing";
import { type ApiChain, fetchApiChain } from "./ApiChain.js";
import { differencesOf } from "./compareTables.js";
import { type ExpectedTables, expectedBlocks } from "./expectedBlocks.js";
import { expectedBalances, expectedCounts } from "./expectedCounts.js";
import { expectedDeploys } from "./expectedDeploys.js";
import { contractDifferences, expectedNames } from "./expectedNames.js";

/** The address of a node. */
export interface NodeEndpoint {
  readonly http: string;
  readonly admin: string;
}

/** The data with which tables are compared. */
export interface Expectation {
  readonly client: HttpClient;
  readonly chain: ApiChain;
  readonly tables: ExpectedTables;
}

/** Every table, made from a node's HTTP API. The chain must have stopped growing. */
export async function expectationOf({ http }: NodeEndpoint): Promise<Expectation> {
  const client = new HttpClient(http);
  const chain = await fetchApiChain(client);
  const tables = {
    ...expectedBlocks(chain),
    ...expectedDeploys(chain),
    ...expectedNames(chain),
    ...(await expectedBalances(chain, client)),
    ...expectedCounts(chain),
  };
  return { client, chain, tables };
}

/** Goes on with an index until it has everything that a node returns. @throws Error when it fails */
export async function completeIndex(place: IndexLocation, { admin }: NodeEndpoint): Promise<void> {
  await using database = await openDatabase(place);
  const ended = new AbortController();
  let failure: string | undefined;
  const follower = new IndexFollower({
    database,
    feed: Object.assign(new RemoteFeed(admin), { wait: async () => ended.abort() }),
    emit: (event) => {
      if (event.type === "indexFailed") {
        failure = event.reason;
        ended.abort();
      }
    },
  });
  await follower.run(ended.signal);
  if (failure !== undefined) throw new Error(failure);
}

/** Returns the differences of an index. */
export async function differencesAt(
  place: IndexLocation,
  { client, chain, tables }: Expectation,
): Promise<readonly string[]> {
  await using database = await openDatabase(place);
  return [...(await differencesOf(database, tables)), ...(await contractDifferences(database, chain, client))];
}

/** Waits until an index that another process writes has come to the end of its node's chain. */
export async function untilIndexed(place: IndexLocation, height: number): Promise<void> {
  let last = "nothing was requested";
  const isThere = async () => {
    try {
      await using database = await openDatabase(place);
      const [row] = await database.db
        .selectFrom("indexer_state")
        .select("value")
        .where("key", "=", "last_indexed_block")
        .execute();
      last = `it is at ${row?.value}`;
      return Number(row?.value ?? -1) >= height;
    } catch (error) {
      last = errorText(error);
      return false;
    }
  };
  await until(`the index to come to ${height}`, isThere, { everyMs: 100, state: () => last });
}
