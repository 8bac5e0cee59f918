import type { Block } from "@vedette/protocol";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { dagA, dagB } from "../testing/chapterDags.js";
import { TestDag } from "../testing/TestDag.js";
import { faultTolerance, smallestClique, toleranceOfClique } from "./faultTolerance.js";
import { float32 } from "./float32.js";
import { Connections, hasHeavyClique, heaviestClique } from "./heaviestClique.js";

describe("32-bit arithmetic (40 §15.2)", () => {
  test.each([
    [3n, 5n, 0.20000000298023224],
    [5n, 5n, 1],
    [25n, 60n, -0.1666666716337204],
    [40n, 60n, 0.3333333432674408],
    [20000000000000n, 30000000000000n, 0.333333283662796],
  ])("a clique of %s in %s", (clique, total, expected) => {
    expect(toleranceOfClique(clique, total)).toBe(expected);
  });

  test("the smallest clique that is enough", () => {
    fc.assert(
      fc.property(fc.bigInt(1n, 1n << 55n), fc.double({ min: -1, max: 1, noNaN: true }), (total, threshold) => {
        const limit = Math.fround(threshold);
        const found = smallestClique(total, limit);
        expect(found > total || toleranceOfClique(found, total) > limit).toBe(true);
        expect(found === 0n || toleranceOfClique(found - 1n, total) > limit).toBe(found === 0n);
      }),
    );
  });

  test("a 64-bit number is rounded once", () => {
    // Just above the middle of two floats, by less than a 64-bit float shows.
    expect(float32((1n << 62n) + (1n << 38n) + 1n)).toBe(2 ** 62 + 2 ** 39);
    expect(float32((1n << 62n) + (1n << 38n))).toBe(2 ** 62);
    expect(float32(-((1n << 62n) + (1n << 38n) + 1n))).toBe(-(2 ** 62 + 2 ** 39));
    expect(float32(0n)).toBe(0);
    fc.assert(
      fc.property(fc.bigInt(-(1n << 63n), (1n << 63n) - 1n), (value) => {
        const found = float32(value);
        expect(Math.fround(found)).toBe(found);
        const error = value - BigInt(found);
        const step = BigInt(2 ** Math.max(0, Math.floor(Math.log2(Math.max(1, Math.abs(found)))) - 23));
        expect((error < 0n ? -error : error) * 2n <= step).toBe(true);
      }),
    );
  });
});

describe("heaviest clique (40 §15.3)", () => {
  const pairsOf = (nodes: number, areConnected: (left: number, right: number) => boolean): Connections => {
    const found = new Connections(nodes);
    for (let right = 0; right < nodes; right += 1)
      for (let left = 0; left < right; left += 1) if (areConnected(left, right)) found.connect(left, right);
    return found;
  };

  const heaviest = (edges: readonly (readonly [number, number])[], weights: Record<number, bigint> = {}): bigint => {
    const nodes = [...new Set(edges.flat())];
    const set = new Set(edges.flatMap(([left, right]) => [`${left} ${right}`, `${right} ${left}`]));
    return heaviestClique(
      nodes.map((node) => weights[node] ?? 1n),
      pairsOf(nodes.length, (left, right) => set.has(`${nodes[left]} ${nodes[right]}`)),
    );
  };

  test("of the recorded graphs", () => {
    const first = [
      [1, 6],
      [1, 2],
      [1, 3],
      [2, 6],
      [2, 4],
      [2, 3],
      [3, 6],
      [4, 6],
      [4, 7],
      [4, 5],
      [5, 7],
      [8, 9],
      [10, 11],
    ] as const;
    const second = [
      [1, 2],
      [1, 4],
      [1, 5],
      [1, 6],
      [2, 3],
      [3, 4],
      [3, 6],
      [4, 5],
      [4, 6],
      [5, 6],
    ] as const;
    expect(heaviest(first)).toBe(4n);
    expect(heaviest([...first, [1, 1]])).toBe(4n);
    expect(heaviest([])).toBe(0n);
    expect(heaviest(second)).toBe(4n);
    expect(heaviest(second, { 1: 10n, 2: 10n })).toBe(20n);
  });

  test("is that of trying all sets", () => {
    const graph = fc
      .integer({ min: 0, max: 7 })
      .chain((nodes) =>
        fc.tuple(
          fc.array(fc.bigInt(0n, 9n), { minLength: nodes, maxLength: nodes }),
          fc.array(fc.boolean(), { minLength: nodes * nodes, maxLength: nodes * nodes }),
        ),
      );
    fc.assert(
      fc.property(graph, ([weights, edges]) => {
        const connected = (left: number, right: number): boolean =>
          edges[Math.min(left, right) * weights.length + Math.max(left, right)] ?? false;
        let best = 0n;
        for (let set = 0; set < 1 << weights.length; set += 1) {
          const members = [...weights.keys()].filter((node) => (set >> node) & 1);
          const isClique = members.every((left) => members.every((right) => left === right || connected(left, right)));
          const weight = members.reduce((sum, node) => sum + weights[node]!, 0n);
          if (isClique && weight > best) best = weight;
        }
        const pairs = pairsOf(weights.length, connected);
        expect(heaviestClique(weights, pairs)).toBe(best);
        for (let bound = 0n; bound < 30n; bound += 3n) {
          expect(hasHeavyClique(weights, pairs, bound)).toBe(best >= bound);
        }
      }),
    );
  });

  test("a hundred validators that all agree are quick, a hard graph is given up", () => {
    const hundred = Array.from({ length: 100 }, () => 1n);
    const all = pairsOf(100, () => true);
    expect(heaviestClique(hundred, all)).toBe(100n);
    const isEdge = (left: number, right: number) =>
      Math.imul((left + 1) * (right + 1), 2_654_435_761) >>> 0 < 0.8 * 2 ** 32;
    expect(() => heaviestClique(hundred, pairsOf(100, isEdge))).toThrow("needs more than 500000 steps");
  });
});

describe("fault tolerance of blocks (40 §15.3)", () => {
  test("A: two validators", () => {
    const { dag, blocks } = dagA();
    const found = blocks.slice(0, 4).map(({ hash }) => faultTolerance(dag.dag, hash));
    expect(found).toEqual([1, 1, -1, Math.fround(0.2)]);
  });

  test("B: three validators", () => {
    const { dag, blocks } = dagB();
    const found = blocks.slice(0, 4).map(({ hash }) => faultTolerance(dag.dag, hash));
    expect(found).toEqual([1, Math.fround(-1 / 6), -1, Math.fround(-1 / 6)]);
  });

  test("C: two forks, then agreement", () => {
    const names = ["v0", "v1", "v2", "v3", "v4"];
    const dag = new TestDag({ v0: 500, v1: 450, v2: 600, v3: 400, v4: 525 });
    const all = (known: Record<string, Block>, rest: Block): Record<string, Block> =>
      Object.fromEntries(names.map((name) => [name, known[name] ?? rest]));
    const a = dag.add({ creator: "v2", parents: [dag.genesis], justifications: all({}, dag.genesis) });
    const fork = (creators: readonly string[]): Block[] => {
      const known: Record<string, Block> = { v2: a };
      const made: Block[] = [];
      for (let i = 0; i < 5; i += 1) {
        const creator = creators[i % 2] ?? "";
        const block = dag.add({ creator, parents: [made.at(-1) ?? a], justifications: all(known, dag.genesis) });
        known[creator] = block;
        made.push(block);
      }
      return made;
    };
    const left = fork(["v1", "v0"]);
    const right = fork(["v3", "v4"]);
    expect(faultTolerance(dag.dag, left[0]!.hash)).toBe(-1);
    expect(faultTolerance(dag.dag, right[0]!.hash)).toBe(-1);
    let tip = left[4]!;
    for (let round = 0; round < 2; round += 1) for (const name of names) tip = dag.next(name, [tip]);
    expect(faultTolerance(dag.dag, left[0]!.hash)).toBe(1);
    expect(faultTolerance(dag.dag, new Uint8Array(32))).toBe(-1);
  });
});
