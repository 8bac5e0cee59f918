import type { Peer } from "@vedette/network";
import { type Block, checkBlockNumbers, checkDeploySignatures, type Dialect, decodeBlock } from "@vedette/protocol";
import type { Store } from "@vedette/store";
import type { RetrieverLimits } from "../blocks/BlockRetriever.js";
import type { CeremonyRules } from "../ceremony/CeremonyMaster.js";
import type { RangeLimits } from "../history/RangeSync.js";
import type { JoinRules } from "../join/JoinRules.js";
import type {
  ApprovedBlockPort,
  BlockStoreView,
  BlockValidationPort,
  DecodePeerBlock,
  SyncDagView,
} from "../ports/ChainPort.js";
import type { FloorPort, NumberEntryPort } from "../ports/FloorPort.js";
import type { GenesisPort } from "../ports/GenesisPort.js";
import type { PeerRequestPort, PeersPort } from "../ports/PeersPort.js";
import type { StateExportPort, StateImportPort } from "../ports/StatePort.js";
import type { EmitSyncEvent } from "../SyncEvent.js";
import type { Timers } from "../Timers.js";
import type { CeremonyModes } from "./launch.js";

/** Times of the synchronization, all with defaults of rnode. @spec 40 §3.5, §4.6, §4.7, §13 */
export interface SyncTimes {
  /** `casper-loop-interval`. */
  readonly maintenanceMs: number;
  /** How often the retriever looks for what did not come. */
  readonly retrieverMs: number;
  /** `fork-choice-check-if-stale-interval`. */
  readonly staleCheckMs: number;
  /** `fork-choice-stale-threshold`. */
  readonly staleThresholdMs: number;
  /** Pause before the approved block is requested again. */
  readonly approvedRetryMs: number;
  /** How long an answer to an approved block request may take. */
  readonly approvedAnswerMs: number;
}

/** rnode's times. @spec 40 §13 */
export const defaultSyncTimes: SyncTimes = {
  maintenanceMs: 30_000,
  retrieverMs: 2000,
  staleCheckMs: 660_000,
  staleThresholdMs: 600_000,
  approvedRetryMs: 10_000,
  approvedAnswerMs: 120_000,
};

/** The parts that a genesis ceremony needs. @spec 40 §10 */
export interface CeremonyParts {
  readonly genesis: GenesisPort;
  readonly rules: CeremonyRules;
}

/** The parts that the synchronization works with. @spec 40 §3, §4 */
export interface SyncOptions {
  /**
   * How a node without a chain begins: with the last finalized state of its bootstrap, or by replaying every block
   * since genesis; where no peer has all of them, the second way leads to the first one, or to nothing. @spec 40 §3.7
   */
  readonly beginning: "importState" | "replayAll" | "replayAllOrNothing";
  /** How a state is begun with. */
  readonly join: JoinRules;
  /** `undefined` for a node that has a chain and waits to be found. */
  readonly bootstrap: Peer | undefined;
  readonly shardName: string;
  readonly dialect: Dialect;
  readonly modes: CeremonyModes;
  /** For the roles that `modes` may require; without it they are refused. */
  readonly ceremony?: CeremonyParts | undefined;
  readonly peers: PeersPort;
  /** Without it no requests are sent that only Vedette nodes understand. @spec 10 §3.7 */
  readonly questions?: PeerRequestPort | undefined;
  readonly ranges?: Partial<RangeLimits>;
  readonly blocks: BlockStoreView;
  readonly dag: SyncDagView;
  readonly approved: ApprovedBlockPort;
  readonly validation: BlockValidationPort;
  /** Decodes and checks a block of a peer; without it on the calling thread, whatever its size. */
  readonly decodePeerBlock?: DecodePeerBlock;
  /** Has the table `bufferedBlocks`. */
  readonly store: Store;
  readonly stateImport: StateImportPort;
  /** `undefined` does not serve states (`disable-state-exporter`). */
  readonly stateExport: StateExportPort | undefined;
  /** The data that peers request on f1r3node networks alone; without it they get no answer. @spec 61 §16.2 */
  readonly floors?: FloorPort | undefined;
  readonly entries?: NumberEntryPort | undefined;
  /** Looks at the chain before the node follows it; throws where the node must not go on with it. @spec 61 §16.4 */
  readonly checkChain?: ((approved: Block) => Promise<void>) | undefined;
  readonly emit: EmitSyncEvent;
  /** Unix milliseconds. */
  readonly nowMs: () => number;
  readonly times?: Partial<SyncTimes>;
  /** The machine's without. */
  readonly timers?: Timers;
  /** Nodes of a page of state; 750 in rnode. @spec 40 §3.10 */
  readonly statePageNodes?: number;
  readonly retriever?: Partial<RetrieverLimits>;
}

/**
 * Returns a decoder of peers' blocks on the calling thread. Quirk 40 §1.1: a block with a badly signed deploy cannot even
 * be decoded.
 */
export function peerBlockDecoder(dialect: Dialect): DecodePeerBlock {
  return async (content): Promise<Block> => {
    const block = decodeBlock(content, dialect.blockForm);
    checkBlockNumbers(block);
    checkDeploySignatures(block, dialect);
    return block;
  };
}
