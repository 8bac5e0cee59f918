import type { BlockCodec } from "../block/BlockCodec.js";
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

/** The dialect of blocks that are encoded so. */
export function dialectOfForm(form: BlockCodec): Dialect {
  return dialects.find(({ blockForm }) => blockForm === form) ?? rnode;
}

/** The dialect of data that name none: earlier versions knew no other. */
export const unmarkedDialect: Dialect["name"] = rnode.name;

/** The name of a dialect for data that earlier versions read; `undefined`: the data name none. */
export function dialectMark(name: Dialect["name"]): Dialect["name"] | undefined {
  return name === unmarkedDialect ? undefined : name;
}
