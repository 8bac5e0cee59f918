import type { Dialect } from "./Dialect.js";
import { f1r3node } from "./f1r3node.js";
import { rnode } from "./rnode.js";

const dialects: readonly Dialect[] = [rnode, f1r3node];

/** The dialect of this name, whoever gave it; `undefined` where there is none. */
export function findDialect(name: string): Dialect | undefined {
  return dialects.find((dialect) => dialect.name === name);
}
