import type {
  apiStatusRoute,
  blockRoute,
  blockStatusesRoute,
  DeployFact,
  deployBlockRoute,
  deployStatusRoute,
  deploysRoute,
  explorationRoute,
  peersRoute,
  prepareDeployRoute,
  Static,
  statusRoute,
  traceRoute,
  transactionsRoute,
  transfersRoute,
} from "@vedette/api";
import type { RhoValue } from "../value/RhoValue.js";

type WholeStatus = Static<(typeof statusRoute)["answer"]["schema"]>;
type WholeNetworkStatus = Static<(typeof apiStatusRoute)["answer"]["schema"]>;

/** Sync progress of a node; nodes of rnode do not report it. @spec 50 §8.7 */
export type SyncProgress = WholeStatus["syncStatus"];
/** `GET /status`. @spec 50 §1.4 */
export type NodeStatus = Omit<WholeStatus, "syncStatus"> & { readonly syncStatus?: SyncProgress };
/** `GET /api/status`. @spec 50 §1.7 */
export type NetworkStatus = Omit<WholeNetworkStatus, "syncStatus"> & { readonly syncStatus?: SyncProgress };
/** A block without its deploys. @spec 50 §1.7 */
export type LightBlock = Static<(typeof deployBlockRoute)["answer"]["schema"]>;
/** A block with its deploys. @spec 50 §1.7 */
export type FullBlock = Static<(typeof blockRoute)["answer"]["schema"]>;
/** A deploy in a block, and what came of it. @spec 50 §1.7 */
export type ProcessedDeployInfo = FullBlock["deploys"][number];
/** Names that a deploy will make. @spec 50 §1.9 */
export type PreparedDeploy = Static<(typeof prepareDeployRoute)["answer"]["schema"]>;
/** Transfers in a block. @spec 50 §1.9 */
export type BlockTransactions = Static<(typeof transactionsRoute)["answer"]["schema"]>;
/** The events of a block. @spec 50 §2.2 */
export type BlockTrace = Static<(typeof traceRoute)["answer"]["schema"]>;
/** How a program ended that ran within a budget. @spec 50 §1.11 */
export type Exploration = Static<(typeof explorationRoute)["answer"]["schema"]>;
/** The request of such a program. @spec 50 §1.11 */
export type ExplorationRequest = Static<NonNullable<(typeof explorationRoute)["body"]>["schema"]>;
/** A block, and what became of it. @spec 50 §1.13 */
export type PlacedBlock = Static<(typeof blockStatusesRoute)["answer"]["schema"]>["blocks"][number];
/** The query for a list of deploys. @spec 50 §1.13 */
export type DeploysQuery = Static<NonNullable<(typeof deploysRoute)["query"]>>;
/** A page of deploys. @spec 50 §1.13 */
export type DeploysPage = Static<(typeof deploysRoute)["answer"]["schema"]>;
/** A peer, with the version and the height that it reports. @spec 50 §1.15 */
export type ReportedPeer = Static<(typeof peersRoute)["answer"]["schema"]>["peers"][number];
/** The query for a list of transfers. @spec 50 §1.13 */
export type TransfersQuery = Static<NonNullable<(typeof transfersRoute)["query"]>>;
/** A page of transfers. @spec 50 §1.13 */
export type TransfersPage = Static<(typeof transfersRoute)["answer"]["schema"]>;
/** A deploy and what has become of it. @spec 50 §1.13 */
export type DeployStatus = Static<(typeof deployStatusRoute)["answer"]["schema"]>;
/** The status and effects of a deploy. */
export interface DeployBrief {
  readonly status: DeployStatus["status"];
  /** `null` where too much work was requested at once. */
  readonly summary: readonly DeployFact[] | null;
  /** When it was signed: Unix time in milliseconds; `null` on earlier versions of the node. */
  readonly timestamp: bigint | null;
}

/** Values, and the block with the state that has them. @spec 50 §1.9 */
export interface ValuesInBlock {
  readonly values: readonly RhoValue[];
  readonly block: LightBlock;
}

/** A value that the newest blocks left on a name: one each, the oldest block first. @spec 50 §1.9 */
export interface ValueInBlock {
  readonly value: RhoValue;
  readonly block: LightBlock;
}
