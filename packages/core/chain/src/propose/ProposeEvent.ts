import type { Block, Deploy } from "@vedette/protocol";
import type { BlockStatus } from "../validation/BlockStatus.js";
import type { ProposeResult } from "./ProposeResult.js";

/** Why a deploy of the pool is not in a block. @spec 40 §9.5 */
export type FilterReason = "future" | "expired" | "inScope";

/** The events of making blocks, for logs, metrics and the event API. @spec 40 §9 */
export type ProposeEvent =
  | { readonly type: "deployReceived"; readonly deploy: Deploy }
  | {
      readonly type: "parentsChosen";
      readonly validators: number;
      readonly invalid: number;
      readonly valid: number;
      readonly afterBondFilter: number;
      readonly parents: number;
    }
  | {
      readonly type: "deploysSelected";
      readonly number: bigint;
      readonly earliest: bigint;
      readonly pool: number;
      readonly future: number;
      readonly expired: number;
      readonly valid: number;
      readonly inScope: number;
      readonly selected: number;
    }
  | {
      readonly type: "deployFiltered";
      readonly signature: Uint8Array;
      readonly reason: FilterReason;
      readonly validAfterBlockNumber: bigint;
      readonly number: bigint;
      readonly earliest: bigint;
    }
  | {
      readonly type: "synchronyMeasured";
      readonly senders: number;
      readonly weight: bigint;
      readonly total: bigint;
      readonly value: number;
      readonly threshold: number;
    }
  /** A block may be made although too few of the others have spoken: that has been so for long. */
  | { readonly type: "synchronyPassed"; readonly stallWindowMs: number }
  | { readonly type: "heightMeasured"; readonly ahead: bigint }
  | { readonly type: "slashingIssued"; readonly invalidBlockHash: Uint8Array }
  | { readonly type: "creatingBlock"; readonly number: bigint; readonly sequenceNumber: number }
  /** In the store and in the DAG; peers do not know of it yet. */
  | { readonly type: "blockCreated"; readonly block: Block; readonly elapsedMs: number }
  | { readonly type: "snapshotTaken"; readonly elapsedMs: number }
  | { readonly type: "proposeFinished"; readonly result: ProposeResult }
  /** The parents cannot be merged; the first is taken alone. */
  | { readonly type: "mergeGivenUp"; readonly parents: number; readonly reason: string }
  /** On the parents that f1r3node would choose a block would harm deploys; it is made on others. @spec 61 §13.7 */
  | { readonly type: "parentsExchanged"; readonly parents: number; readonly main: Uint8Array }
  /** Whatever parents a block may have, it loses deploys for good, or repeats some. @spec 61 §12.3 */
  | {
      readonly type: "deploysHarmed";
      readonly lost: readonly Uint8Array[];
      readonly repeated: readonly Uint8Array[];
      readonly main: Uint8Array;
      readonly floor: Uint8Array;
    }
  /** No block can be made with this deploy, or not in time; it is tried once more, or as often as the machine is busy. */
  | {
      readonly type: "deployPutAside";
      readonly signature: Uint8Array;
      readonly number: bigint;
      readonly reason: string;
      readonly isOfMachine: boolean;
    }
  /** No block could be made with it the second time either; it is tried no more. */
  | {
      readonly type: "deployGivenUp";
      readonly signature: Uint8Array;
      /** The number of the block that was to have it. */
      readonly number: bigint;
      readonly reason: string;
    }
  /** Fewer deploys than wanted could be executed in the time that a block may take. */
  | {
      readonly type: "blockTooHeavy";
      readonly number: bigint;
      readonly deploys: number;
      readonly reason: string;
    }
  | { readonly type: "ownBlockRefused"; readonly block: Block; readonly status: BlockStatus }
  /** A block of our own key that this process has not made. */
  | { readonly type: "ownKeyElsewhere"; readonly hash: Uint8Array; readonly sequenceNumber: number }
  /** The own blocks that were lost came back from the network. */
  | { readonly type: "ownBlockRecovered"; readonly block: Block }
  | { readonly type: "clockBehind"; readonly behindMs: number }
  | { readonly type: "clockJumped"; readonly byMs: number }
  | { readonly type: "deploysRemoved"; readonly count: number; readonly blockHash: Uint8Array }
  | { readonly type: "deploysExpired"; readonly count: number };

/** Takes an event; must not throw. */
export type EmitProposeEvent = (event: ProposeEvent) => void;
