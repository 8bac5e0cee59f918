import { blake2b256 } from "@vedette/crypto";
import { CommEvent, ConsumeEvent, type Event, ProduceEvent } from "@vedette/protocol";
import { runs } from "@vedette/testing";
import fc from "fast-check";
import { expect, test } from "vitest";
import { conflict, depends } from "../conflicts.js";
import { relatedClasses } from "../deployChain.js";
import { type EventSets, eventSets } from "../eventIndex.js";
import { conflictsAmong, dependencyClasses, dependsOn, isConflict } from "./eventRelations.js";

const channel = (id: number): Uint8Array => blake2b256(Uint8Array.of(id));
const produce = (id: number): ProduceEvent =>
  new ProduceEvent(channel(id % 4), blake2b256(Uint8Array.of(9, id)), id % 5 === 0);
const consume = (id: number): ConsumeEvent =>
  new ConsumeEvent([channel(id % 4), channel((id * 3) % 4)], blake2b256(Uint8Array.of(8, id)), id % 5 === 0);

const anyId = fc.nat({ max: 19 });
const anyEvent: fc.Arbitrary<Event> = fc.oneof(
  anyId.map(produce),
  anyId.map(consume),
  fc
    .tuple(anyId, anyId, fc.boolean())
    .map(([c, p, peeks]) => new CommEvent(consume(c), [produce(p)], [0], peeks ? [0] : [])),
);

/** Sets of a log in which one channel is of numbers, some data were there before, and some joins are wide. */
const anySets: fc.Arbitrary<EventSets> = fc
  .tuple(fc.array(anyEvent, { maxLength: 5 }), fc.boolean(), anyId, fc.constantFrom(false, false, false, false, true))
  .map(([log, hasNumbers, copied, wide]) =>
    eventSets(
      log,
      { hasDatumOf: ({ key }) => key === produce(copied).key, hasWideJoin: () => wide },
      (hash) => hasNumbers && Buffer.compare(hash, channel(0)) === 0,
    ),
  );

test("dependency and conflict are those of the pairs, as the chapter has them", () => {
  const seen = { depends: 0, conflicts: 0, neither: 0 };
  fc.assert(
    fc.property(fc.array(anySets, { minLength: 2, maxLength: 8 }), (all) => {
      const conflicts = conflictsAmong(all);
      all.forEach((left, i) => {
        all.forEach((right, j) => {
          expect(dependsOn(left, right)).toBe(depends(left, right));
          if (i === j) return;
          const isOne = conflict(left, right);
          expect(conflicts.get(i)!.has(j)).toBe(isOne);
          expect(isConflict(left, right)).toBe(isOne);
          if (depends(left, right)) seen.depends += 1;
          seen[isOne ? "conflicts" : "neither"] += 1;
        });
      });
      const plain = relatedClasses(all, (left, right) => depends(left, right) || depends(right, left));
      expect(dependencyClasses(all, (events) => events)).toEqual(plain);
    }),
    { numRuns: runs(60, 300) },
  );
  expect(Math.min(seen.depends, seen.conflicts, seen.neither)).toBeGreaterThan(runs(10, 100));
});
