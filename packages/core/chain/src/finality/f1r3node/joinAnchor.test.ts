import { type Block, hashKey } from "@vedette/protocol";
import { expect, test, vi } from "vitest";
import { TestDag } from "../../testing/TestDag.js";
import { joinAnchor, keptJoinAnchor } from "./joinAnchor.js";

/** Blocks of two validators that receive each other's blocks. */
class Scene {
  readonly made = new TestDag({ a: 1, b: 1 });
  readonly #latest: Record<string, Block> = { a: this.made.genesis, b: this.made.genesis };

  add(creator: "a" | "b", ...parents: readonly Block[]): Block {
    const block = this.made.add({ creator, parents, justifications: { ...this.#latest } });
    this.#latest[creator] = block;
    return block;
  }

  /** Makes this many blocks, each upon the one before. */
  line(count: number, from: Block = this.made.genesis): Block {
    let top = from;
    for (let at = 0; at < count; at += 1) top = this.add(at % 2 === 0 ? "a" : "b", top);
    return top;
  }

  finalize(block: Block): void {
    const { dag } = this.made;
    dag.recordFinalized(dag.require(block.hash), []);
  }

  anchor(): string {
    return hashKey(joinAnchor(this.made.dag)!.hash);
  }

  /** Returns the blocks that an f1r3node node that began at a block visits when another one becomes final there. */
  looked(anchor: string, later: Block): ReadonlySet<string> {
    const looked = new Set<string>();
    const waiting = [later.hash];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop())
      for (const parent of this.made.dag.require(next).parents) {
        const key = hashKey(parent);
        if (key === anchor || looked.has(key)) continue;
        looked.add(key);
        waiting.push(parent);
      }
    return looked;
  }
}

const keyOf = ({ hash }: Block) => hashKey(hash);

test("where all later blocks build upon the last final one, a joiner begins with that", () => {
  const scene = new Scene();
  const last = scene.line(100);
  scene.finalize(last);
  scene.line(3, last);
  expect(scene.anchor()).toBe(keyOf(last));
});

test("where a block is beside the last final one, a joiner begins with the block that both build upon", () => {
  const scene = new Scene();
  const common = scene.line(100);
  const last = scene.add("a", common);
  const beside = scene.add("b", common);
  scene.finalize(last);
  const later = scene.line(2, scene.add("a", last, beside));
  expect(scene.looked(keyOf(last), later).size).toBeGreaterThan(50);
  expect(scene.anchor()).toBe(keyOf(common));
  expect(scene.looked(keyOf(common), later)).not.toContain(keyOf(scene.made.genesis));
  expect(scene.looked(keyOf(common), later).size).toBe(4);
});

test.each([20, 60])(
  "after %i heights of blocks side by side it begins below them, unless that is too far",
  (heights) => {
    const scene = new Scene();
    const common = scene.line(100);
    let [left, right] = [scene.add("a", common), scene.add("b", common)];
    for (let at = 0; at < heights; at += 1) [left, right] = [scene.add("a", left, right), scene.add("b", right, left)];
    scene.finalize(left);
    expect(scene.anchor()).toBe(keyOf(heights < 50 ? common : left));
  },
);

test("of a young chain, which is fetched as a whole, a joiner begins with the last final block", () => {
  const scene = new Scene();
  expect(scene.anchor()).toBe(keyOf(scene.made.genesis));
  const common = scene.line(60);
  const last = scene.add("a", common);
  scene.add("b", common);
  scene.finalize(last);
  expect(scene.anchor()).toBe(keyOf(last));
});

test("for any number of requests, it is computed once until there is another block", () => {
  const scene = new Scene();
  const common = scene.line(100);
  const last = scene.add("a", common);
  scene.finalize(last);
  const { dag } = scene.made;
  const looked = vi.spyOn(dag, "blocksByHeight");
  const anchor = keptJoinAnchor(dag);
  for (let asked = 0; asked < 10; asked += 1) expect(anchor()?.key).toBe(keyOf(last));
  expect(looked).toHaveBeenCalledTimes(1);
  scene.add("b", common);
  expect(anchor()?.key).toBe(keyOf(common));
  expect(looked).toHaveBeenCalledTimes(2);
});
