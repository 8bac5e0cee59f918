import type { Block } from "@vedette/protocol";
import { TestDag } from "./TestDag.js";

/** A DAG of the chapter with its blocks by their number there; the first is genesis. */
export interface ChapterDag {
  readonly dag: TestDag;
  readonly blocks: readonly [Block, Block, Block, Block, Block, Block, Block, Block];
}

/** Two validators. @spec 40 §15.3 (A) */
export function dagA(): ChapterDag {
  const dag = new TestDag({ v1: 2, v2: 3 });
  const b1 = dag.genesis;
  const add = (creator: string, parent: Block, v1: Block, v2: Block): Block =>
    dag.add({ creator, parents: [parent], justifications: { v1, v2 } });
  const b2 = add("v2", b1, b1, b1);
  const b3 = add("v1", b1, b1, b1);
  const b4 = add("v2", b2, b1, b2);
  const b5 = add("v1", b2, b3, b2);
  const b6 = add("v2", b4, b5, b4);
  const b7 = add("v1", b4, b5, b4);
  const b8 = add("v1", b7, b7, b4);
  return { dag, blocks: [b1, b2, b3, b4, b5, b6, b7, b8] };
}

/** Three validators. @spec 40 §15.3 (B) */
export function dagB(): ChapterDag {
  const dag = new TestDag({ v1: 25, v2: 20, v3: 15 });
  const b1 = dag.genesis;
  const add = (creator: string, parent: Block, [v1, v2, v3]: readonly [Block, Block, Block]): Block =>
    dag.add({ creator, parents: [parent], justifications: { v1, v2, v3 } });
  const b2 = add("v2", b1, [b1, b1, b1]);
  const b3 = add("v1", b1, [b1, b1, b1]);
  const b4 = add("v3", b2, [b1, b2, b2]);
  const b5 = add("v2", b3, [b3, b2, b1]);
  const b6 = add("v1", b4, [b3, b2, b4]);
  const b7 = add("v3", b5, [b3, b5, b4]);
  const b8 = add("v2", b6, [b6, b5, b4]);
  return { dag, blocks: [b1, b2, b3, b4, b5, b6, b7, b8] };
}
