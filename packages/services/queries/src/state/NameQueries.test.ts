import { setImmediate as turn } from "node:timers/promises";
import type { DagView } from "@vedette/chain";
import { GPrivate, parOfUnforgeable, rnodeTerms } from "@vedette/terms";
import { expect, test } from "vitest";
import type { BlockQueries } from "../block/BlockQueries.js";
import { NameQueries } from "./NameQueries.js";
import type { StateReads } from "./StateReads.js";

const name = parOfUnforgeable(new GPrivate(new Uint8Array(32)));

/** Queries about a name that every block touched, with states that are read when the test lets them. */
function trial() {
  const reads: (() => void)[] = [];
  const log = [{ kind: "produce", channelsHash: rnodeTerms.channelHash(name) }];
  const blocks = { read: () => ({ block: { body: { deploys: [{ log }] } } }) };
  const states = { data: () => new Promise((resolve) => reads.push(() => resolve({ terms: [] }))) };
  const queries = new NameQueries(
    {} as DagView,
    blocks as unknown as BlockQueries,
    states as unknown as StateReads,
    rnodeTerms,
  );
  const outcomes: string[] = [];
  const ask = (client: string) =>
    queries
      .lookAtBlock(
        name,
        { block: {} as never, root: new Uint8Array(32), form: "json" },
        { client, signal: new AbortController().signal },
      )
      .then(() => outcomes.push(client))
      .catch((error: Error) => outcomes.push(`${client}: ${error.name}`));
  return { ask, reads, outcomes };
}

test("a client at its limit keeps another one waiting for its turn, and for nothing else", async () => {
  const { ask, reads, outcomes } = trial();
  const busy = Array.from({ length: 33 }, () => ask("192.0.2.1"));
  await turn();
  expect([reads.length, outcomes]).toEqual([8, ["192.0.2.1: Overload"]]);
  const other = ask("192.0.2.2");
  reads.shift()!();
  await turn();
  // Its question is the next one.
  reads.at(-1)!();
  await other;
  expect(outcomes).toEqual(["192.0.2.1: Overload", "192.0.2.1", "192.0.2.2"]);
  while (outcomes.length < 34) {
    for (const read of reads.splice(0)) read();
    await turn();
  }
  await Promise.all(busy);
  expect(outcomes.filter((each) => each === "192.0.2.1")).toHaveLength(32);
});
