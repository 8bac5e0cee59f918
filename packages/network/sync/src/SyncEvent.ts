import type { Peer } from "@vedette/network";
import type { Block, StoreNodeKey } from "@vedette/protocol";
import type { Launch } from "./engine/launch.js";

/** Why a hash is looked for; the words are rnode's. @spec 40 §4.2 */
export type AdmissionReason =
  | "HasBlockMessageReceived"
  // Quirk 40 §4.2: rnode's spelling.
  | "HashBroadcastRecieved"
  | "MissingDependencyRequested"
  | "BlockReceived";

/** How far a genesis ceremony is. @spec 40 §10.2 */
export interface ApprovalCounts {
  readonly signatures: number;
  readonly validators: number;
  readonly requiredSignatures: number;
}

/** The events of fetching and serving blocks and states. @spec 40 §2.1, §3, §4 */
export type SyncEvent =
  | { readonly type: "waitingForFirstConnection" }
  | { readonly type: "launched"; readonly state: Launch }
  | {
      readonly type: "ceremonyStarted";
      readonly validators: number;
      readonly requiredSignatures: number;
      readonly durationMs: number;
    }
  | { readonly type: "genesisSelfApproved" }
  | { readonly type: "unapprovedBlockSent"; readonly hash: Uint8Array }
  | ({ readonly type: "ceremonyCompleting"; readonly isTimeUp: boolean } & ApprovalCounts)
  | ({
      readonly type: "ceremonyInProgress";
      readonly elapsedMs: number;
      readonly durationMs: number;
    } & ApprovalCounts)
  | { readonly type: "ceremonyFinished" }
  | {
      readonly type: "approvalReceived";
      readonly validator: Uint8Array;
      readonly isNew: boolean;
      /** All that have approved by now. */
      readonly signers: readonly Uint8Array[];
    }
  | { readonly type: "approvalRefused"; readonly validator: Uint8Array; readonly reason: "untrusted" | "invalid" }
  | { readonly type: "approvedBlockSent"; readonly hash: Uint8Array }
  | { readonly type: "candidateReceived"; readonly hash: Uint8Array; readonly peer: Peer }
  | { readonly type: "candidateRepeated"; readonly hash: Uint8Array }
  | { readonly type: "candidateApproved"; readonly peer: Peer }
  | { readonly type: "candidateRefused"; readonly peer: Peer; readonly reason: string }
  | { readonly type: "approvedBlockRequested"; readonly peer: Peer }
  | { readonly type: "approvedBlockRequestFailed"; readonly peer: Peer; readonly reason: string }
  | { readonly type: "noApprovedBlock"; readonly nodeIdentifier: string }
  | { readonly type: "approvedBlockReceived"; readonly block: Block; readonly signers: readonly Uint8Array[] }
  | { readonly type: "approvedBlockRefused"; readonly reason: string }
  | { readonly type: "approvedBlockRestored"; readonly block: Block }
  | { readonly type: "genesisIsElsewhere"; readonly block: Block }
  | { readonly type: "enteredRunning"; readonly block: Block }
  | { readonly type: "stateRequested"; readonly peer: Peer; readonly startPath: readonly StoreNodeKey[] }
  | {
      readonly type: "statePageImported";
      readonly peer: Peer;
      readonly nodes: number;
      readonly leaves: number;
      readonly totalNodes: number;
      readonly totalLeaves: number;
    }
  | { readonly type: "statePageRefused"; readonly peer: Peer; readonly reason: string }
  /** Another peer is the first choice for a state from now on. */
  | { readonly type: "stateSourceChanged"; readonly from: Peer; readonly to: Peer }
  | { readonly type: "stateReceived"; readonly root: Uint8Array }
  | { readonly type: "stateIdle"; readonly idleMs: number; readonly nextMs: number }
  | { readonly type: "blocksIdle"; readonly idleMs: number; readonly nextMs: number }
  | { readonly type: "latestBlocksDownloaded"; readonly lowerBound: bigint }
  | { readonly type: "joinBlockReceived"; readonly block: Block; readonly peer: Peer | undefined }
  /** Its bytes were damaged on disk. */
  | { readonly type: "blockRestored"; readonly block: Block; readonly peer: Peer }
  | { readonly type: "invalidHashReceived"; readonly block: Block; readonly peer: Peer | undefined }
  /** Earlier states are fetched that blocks may be merged from. @spec 61 §16.4 */
  | { readonly type: "horizonWanted"; readonly states: number }
  | { readonly type: "horizonIncomplete"; readonly held: number; readonly wanted: number; readonly reason: string }
  /**
   * Floors of blocks were accepted. `peer`: their source. `trusted`: the number of floors that were not checked.
   * @spec 61 §16.4
   */
  | {
      readonly type: "floorsTaken";
      readonly peer: Peer | undefined;
      readonly floors: number;
      readonly trusted: number;
    }
  | { readonly type: "floorsRefused"; readonly peer: Peer; readonly contradicted: number }
  | { readonly type: "floorsUnanswered"; readonly peer: Peer; readonly reason: string }
  /** The changes of number channels by blocks are complete, except for `lacking` blocks. @spec 61 §16.4 */
  | { readonly type: "entriesTaken"; readonly given: number; readonly made: number; readonly lacking: number }
  | { readonly type: "entryRefused"; readonly peer: Peer; readonly hash: Uint8Array; readonly reason: string }
  | { readonly type: "entryLacking"; readonly hash: Uint8Array; readonly reason: string }
  /** A block below the one that the node began with was taken in unjudged. @spec 61 §16.5 */
  | { readonly type: "blockAdmitted"; readonly block: Block }
  | { readonly type: "packetRefused"; readonly peer: Peer; readonly reason: string }
  | {
      readonly type: "hashIgnored";
      readonly kind: "broadcast" | "hasBlock";
      readonly hash: Uint8Array;
      readonly peer: Peer;
    }
  | {
      readonly type: "hashAccepted";
      readonly kind: "broadcast" | "hasBlock";
      readonly hash: Uint8Array;
      readonly peer: Peer;
    }
  | { readonly type: "hashRequested"; readonly hash: Uint8Array; readonly reason: AdmissionReason }
  | { readonly type: "blockIgnored"; readonly block: Block; readonly peer: Peer }
  | { readonly type: "blockAccepted"; readonly block: Block; readonly peer: Peer }
  | { readonly type: "blockNotOfInterest"; readonly block: Block; readonly reason: string }
  /** A peer gave a block of a version for which there are no rules here; it was not judged. @spec 61 §24 */
  | { readonly type: "unknownRulesSeen"; readonly block: Block; readonly reason: string }
  | { readonly type: "blockMalformed"; readonly block: Block; readonly reason: string }
  | { readonly type: "blockProcessingStarted"; readonly block: Block }
  | {
      readonly type: "blockMissingDependencies";
      readonly block: Block;
      readonly toFetch: readonly Uint8Array[];
      readonly inBuffer: readonly Uint8Array[];
    }
  | { readonly type: "blockValidationStarted"; readonly block: Block }
  | { readonly type: "blockValidated"; readonly block: Block; readonly status: string; readonly durationMs: number }
  | { readonly type: "blockFailed"; readonly block: Block; readonly reason: string }
  /** A block cannot be judged as long as the DAG stays as it is. */
  | { readonly type: "blockUnjudged"; readonly block: Block; readonly reason: string }
  /** Blocks of some heights came together. @spec 40 §18 */
  | { readonly type: "rangeReceived"; readonly peer: Peer; readonly blocks: number }
  | { readonly type: "rangeRefused"; readonly peer: Peer; readonly reason: string }
  | { readonly type: "hashSent"; readonly hash: Uint8Array }
  | { readonly type: "blockRequestServed"; readonly hash: Uint8Array; readonly peer: Peer; readonly found: boolean }
  | { readonly type: "tipsServed"; readonly tips: readonly Uint8Array[]; readonly peer: Peer }
  | { readonly type: "tipsRequested" }
  | { readonly type: "tipsStale"; readonly thresholdMs: number }
  | { readonly type: "approvedBlockServed"; readonly peer: Peer }
  | { readonly type: "floorsServed"; readonly peer: Peer; readonly asked: number; readonly known: number }
  | { readonly type: "entryServed"; readonly peer: Peer; readonly hash: Uint8Array; readonly found: boolean }
  | {
      readonly type: "storeItemsServed";
      readonly peer: Peer;
      readonly startPath: readonly StoreNodeKey[];
      readonly take: number;
      readonly skip: number;
      readonly nodes: number;
      readonly leaves: number;
    }
  | { readonly type: "storeItemsRefused"; readonly peer: Peer; readonly reason: string };

/** Takes an event; must not throw. */
export type EmitSyncEvent = (event: SyncEvent) => void;
