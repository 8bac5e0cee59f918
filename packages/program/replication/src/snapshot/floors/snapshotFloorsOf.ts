import type { Dialect } from "@vedette/protocol";
import type { SnapshotFloors } from "./SnapshotFloors.js";

const loaders: Readonly<Record<Dialect["name"], () => Promise<SnapshotFloors | undefined>>> = {
  rnode: async () => undefined,
  f1r3node: async () => (await import("./f1r3nodeFloors.js")).f1r3nodeFloors,
};

/** Loads what snapshots of a dialect have beside states and blocks; nothing for most. */
export function snapshotFloorsOf(dialect: Dialect["name"]): Promise<SnapshotFloors | undefined> {
  return loaders[dialect]();
}
