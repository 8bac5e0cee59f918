import type { Block } from "../block/Block.js";
import type { ApprovedBlock, BlockApproval, UnapprovedBlock } from "../genesis/ApprovedBlock.js";
import type { ApprovedBlockRequest, BlockHashMessage, HashMessage, NoApprovedBlockAvailable } from "./blockPackets.js";
import type {
  FloorCacheRequest,
  FloorCacheResponse,
  MergeableEntryRequest,
  MergeableEntryResponse,
} from "./floorPackets.js";
import type { StoreItems, StoreItemsRequest } from "./statePackets.js";

/** The content of each packet type; the last four are of f1r3node. @spec 10 §4.1, 40 §2, 61 §16.2 */
export interface PacketContents {
  readonly BlockHashMessage: BlockHashMessage;
  readonly BlockMessage: Block;
  readonly HasBlockRequest: HashMessage;
  readonly HasBlock: HashMessage;
  readonly BlockRequest: HashMessage;
  readonly ForkChoiceTipRequest: Record<never, never>;
  readonly ApprovedBlock: ApprovedBlock;
  readonly ApprovedBlockRequest: ApprovedBlockRequest;
  readonly BlockApproval: BlockApproval;
  readonly UnapprovedBlock: UnapprovedBlock;
  readonly NoApprovedBlockAvailable: NoApprovedBlockAvailable;
  readonly StoreItemsMessageRequest: StoreItemsRequest;
  readonly StoreItemsMessage: StoreItems;
  readonly FloorCacheRequest: FloorCacheRequest;
  readonly FloorCacheResponse: FloorCacheResponse;
  readonly MergeableEntryRequest: MergeableEntryRequest;
  readonly MergeableEntryResponse: MergeableEntryResponse;
}

/** The tag text of a packet. @spec 10 §4.1 */
export type PacketType = keyof PacketContents;

/** A decoded packet: its type states the kind of its message. */
export type CasperMessage = {
  [T in PacketType]: { readonly type: T; readonly message: PacketContents[T] };
}[PacketType];
