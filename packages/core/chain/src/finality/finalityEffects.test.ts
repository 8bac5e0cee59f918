import { rnode } from "@vedette/protocol";
import { expect, test } from "vitest";
import { BlockTable } from "../block/BlockTable.js";
import type { ChainEvent } from "../ChainEvent.js";
import { TestDag } from "../testing/TestDag.js";
import { updateFinality } from "./finalityEffects.js";
import { cliqueFinality } from "./finalizer.js";

test("a final block that does not build on the one before is reported", () => {
  const dag = new TestDag({ v1: 100, v2: 100, v3: 100 });
  const { genesis: g } = dag;
  const events: ChainEvent[] = [];
  const look = () =>
    updateFinality({
      dag: dag.dag,
      blocks: new BlockTable(dag.store, { form: rnode.blockForm }),
      rules: cliqueFinality(0.1),
      emit: (event) => events.push(event),
    });
  const a = dag.next("v1", [g]);
  dag.next("v2", [a]);
  expect(look()?.hash).toEqual(a.hash);
  expect(events.map(({ type }) => type)).toEqual(["lastFinalizedChanged"]);
  // Two validators go elsewhere.
  const b = dag.next("v3", [g]);
  const c = dag.next("v2", [b]);
  const d = dag.next("v3", [c]);
  dag.next("v2", [d]);
  events.length = 0;
  const now = look();
  expect(now?.number).toBeGreaterThan(a.number);
  expect(events.map(({ type }) => type)).toEqual(["finalityReverted", "lastFinalizedChanged"]);
  expect(events[0]).toMatchObject({ before: { hash: a.hash }, now: { hash: now?.hash } });
});
