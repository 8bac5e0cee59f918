import type { BlockTable, Dag } from "@vedette/chain";
import type { Dialect } from "@vedette/protocol";
import type { Store } from "@vedette/store";
import type { SpaceDialect } from "@vedette/tuplespace";

/** What a snapshot is made of: a node's chain and its states. They may be those of a node that runs. */
export interface SnapshotSource {
  readonly dialect: Dialect;
  /** That of the states, by the dialect. */
  readonly form: SpaceDialect;
  readonly state: Store;
  readonly dag: Dag;
  readonly blocks: BlockTable;
  /** Of the chain, where floors may be kept; without, they are derived. */
  readonly chain?: Store | undefined;
}
