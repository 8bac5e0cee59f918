import { databaseKinds, TestPlaces } from "@vedette/indexer/testing";
import { openDatabase } from "@vedette/indexer/writing";
import { expect, test } from "vitest";
import { NetworkProcesses } from "../network/NetworkProcesses.js";
import { completeIndex } from "./TableChecks.js";

/** A block with the newest block of the moment in which its node found it final, if that is known. */
interface BlockRow {
  readonly block_hash: string;
  readonly block_number: bigint;
  readonly timestamp: bigint;
  readonly fate: string;
  readonly finalized_at_block_number: bigint | null;
  readonly finalized_at_timestamp: bigint | null;
}

const columns = ["block_hash", "block_number", "timestamp", "fate"] as const;
const moment = ["finalized_at_block_number", "finalized_at_timestamp"] as const;

/** The blocks of a node, by an index that is made anew. */
async function rowsOf(network: NetworkProcesses, name: string, kind = databaseKinds[0]!): Promise<BlockRow[]> {
  const { ports } = network.node(name).plan;
  await using places = new TestPlaces(kind);
  const place = await places.place();
  await completeIndex(place, { http: `http://127.0.0.1:${ports.http}`, admin: `http://127.0.0.1:${ports.adminHttp}` });
  await using database = await openDatabase(place);
  const blocks = database.db.selectFrom("blocks").select([...columns, ...moment]);
  return (await blocks.orderBy("block_number").orderBy("block_hash").execute()) as unknown as BlockRow[];
}

const finalOf = (rows: readonly BlockRow[]) => rows.filter(({ fate }) => fate === "finalized");

/** Heights from final blocks to the newest block of their moment, the least first. @throws Error if that is no block */
function lagsOf(rows: readonly BlockRow[]): number[] {
  const moments = new Set(rows.map(({ block_number, timestamp }) => `${block_number} ${timestamp}`));
  const lags = finalOf(rows).flatMap((row) => {
    const { block_number: number, finalized_at_block_number: height, finalized_at_timestamp: time } = row;
    if (height === null) return [];
    if (!moments.has(`${height} ${time}`)) throw new Error(`block ${number} became final at ${height}, ${time}`);
    return [Number(height - number)];
  });
  return lags.sort((one, other) => one - other);
}

test("an index made anew has when blocks became final in the chain's time, where nodes follow, replay or begin later", async () => {
  await using network = await NetworkProcesses.start({ validators: 3, rhythmMs: 400, synchrony: 0 });
  await network.finalizes(["observer"], 8);
  await network.join("replaying", "observer", { more: { "protocol-client.disable-lfs": true } });
  await network.join("later", "observer", { more: { "protocol-client.disable-lfs": false } });
  const { finalized } = (await network.heights("observer"))!;
  await network.finalizes(["replaying", "later"], finalized + 3);
  for (const name of network.validators) await network.stop(name);

  const live = await rowsOf(network, "observer");
  const unknown = finalOf(live).filter((row) => row.finalized_at_block_number === null);
  // Nothing was to be decided of genesis; no other block is final before other validators have voted for it.
  expect(unknown.map((row) => row.block_number)).toEqual([0n]);
  const lags = lagsOf(live);
  expect(lags[0]).toBeGreaterThan(0);
  for (const kind of databaseKinds) expect(await rowsOf(network, "observer", kind)).toEqual(live);

  const replayed = lagsOf(await rowsOf(network, "replaying"));
  expect(replayed.length).toBeGreaterThan(8);
  // That all blocks were there already when it replayed them shows nowhere.
  expect(replayed[replayed.length >> 1]).toBeLessThanOrEqual(lags[lags.length >> 1]! + 1);

  const later = finalOf(await rowsOf(network, "later"));
  const first = later.findIndex((row) => row.finalized_at_block_number !== null);
  expect(first).toBeGreaterThan(1);
  expect(later.slice(first).every((row) => row.finalized_at_block_number !== null)).toBe(true);
});
