import { toHex } from "@vedette/crypto";
import { MemoryStore } from "@vedette/store";
import { runs } from "@vedette/testing";
import fc from "fast-check";
import { expect, test } from "vitest";
import { testHash } from "../testing/testBlock.js";
import { BlockBuffer } from "./BlockBuffer.js";
import { CyclicDependencyFinder } from "./CyclicDependencyFinder.js";

const names = Array.from({ length: 12 }, (_, index) => testHash(`block ${index}`));

/** Whether every block that waits leads to one that does not. */
function hasCircle(edges: ReadonlyMap<number, readonly number[]>): boolean {
  const left = new Map([...edges].filter(([, to]) => to.length > 0));
  for (let before = -1; before !== left.size; ) {
    before = left.size;
    for (const [from, to] of left) if (to.every((one) => !left.has(one))) left.delete(from);
  }
  return left.size > 0;
}

test("a circle is found where there is one, with its length, and none where there is none", () => {
  const node = fc.nat(names.length - 1);
  fc.assert(
    fc.property(fc.array(fc.tuple(node, node), { maxLength: 20 }), (pairs) => {
      const edges = new Map<number, number[]>();
      for (const [from, to] of pairs) edges.set(from, [...new Set([...(edges.get(from) ?? []), to])]);
      const buffer = new BlockBuffer(new MemoryStore(["bufferedBlocks"]));
      for (const [from, to] of edges)
        buffer.add(
          names[from]!,
          to.map((one) => names[one]!),
        );
      const seeker = new CyclicDependencyFinder(buffer);
      let found: ReturnType<CyclicDependencyFinder["seek"]>;
      const isThere = hasCircle(edges);
      // A walk chooses its way: a circle with many ways out of it is found after many walks.
      for (let turn = 0; turn < (isThere ? 100_000 : 300) && found === undefined; turn += 1) found = seeker.seek(7);
      expect(found !== undefined).toBe(isThere);
      if (found === undefined) return;
      const circle = [...seeker.circle(found.block, found.length)];
      expect(circle).toHaveLength(found.length);
      expect(toHex(circle.at(-1)!.next)).toBe(toHex(found.block));
      expect(new Set(circle.map(({ block }) => toHex(block))).size).toBe(found.length);
      for (const { block, next } of circle) expect(buffer.missingOf(block).map(toHex)).toContain(toHex(next));
    }),
    {
      numRuns: runs(100, 3_000),
      // A circle of four with choices that excluded each other.
      examples: [
        [
          [
            [0, 5],
            [2, 0],
            [8, 3],
            [3, 0],
            [4, 0],
            [3, 2],
            [4, 8],
            [2, 4],
          ],
        ],
      ],
    },
  );
});

test("a long way is gone in many steps, while blocks come and go", () => {
  const buffer = new BlockBuffer(new MemoryStore(["bufferedBlocks"]));
  const line = Array.from({ length: 600 }, (_, index) => testHash(`line ${index}`));
  for (const [index, hash] of line.entries()) buffer.add(hash, [line[index + 1] ?? testHash("absent")]);
  const seeker = new CyclicDependencyFinder(buffer);
  for (let turn = 0; turn < 40; turn += 1) {
    expect(seeker.seek(40)).toBeUndefined();
    buffer.leave(line[turn]!);
  }
  buffer.add(line.at(-1)!, [line[100]!]);
  let found: ReturnType<CyclicDependencyFinder["seek"]>;
  for (let turn = 0; turn < 200 && found === undefined; turn += 1) found = seeker.seek(40);
  expect(found?.length).toBe(500);
});
