import type { BlockTable, Dag } from "@vedette/chain";
import type { Dialect } from "@vedette/protocol";
import type { Store } from "@vedette/store";
import type { SpaceDialect } from "@vedette/tuplespace";

/** The source of a snapshot: a node's chain and its states. The node may be running. */
export interface SnapshotSource {
  readonly dialect: Dialect;
  /** That of the states, by the dialect. */
  readonly form: SpaceDialect;
  readonly state: Store;
  readonly dag: Dag;
  readonly blocks: BlockTable;
  /** The store of the chain, where floors may be kept; without it, they are derived. */
  readonly chain?: Store | undefined;
}
