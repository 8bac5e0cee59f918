import type { Dialect } from "./Dialect.js";
import { f1r3node } from "./f1r3node.js";
import { rnode } from "./rnode.js";

const dialects: readonly Dialect[] = [rnode, f1r3node];
/** Names that earlier versions wrote into data directories, snapshots, streams and recordings. */
const formerNames: ReadonlyMap<string, Dialect> = new Map([
  ["rnode-scala", rnode],
  ["rnode-rust", f1r3node],
]);

/** Finds a dialect by its name or by its name in earlier versions. @returns `undefined` if there is none */
export function findDialect(name: string): Dialect | undefined {
  return dialects.find((dialect) => dialect.name === name) ?? formerNames.get(name);
}
