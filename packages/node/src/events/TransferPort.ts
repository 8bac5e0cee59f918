/** A movement of tokens between two vaults, by a user's deploy. */
export interface BlockTransfer {
  /** Signature of the deploy. */
  readonly deployId: Uint8Array;
  readonly deployer: Uint8Array;
  readonly from: string;
  readonly to: string;
  readonly amount: bigint;
  /** Why nothing was moved; `undefined` when it was. */
  readonly failReason: string | undefined;
}

/** Tells the transfers of blocks. */
export interface TransferPort {
  /** In the order in which they happened, the same at every call. @spec 41 §8.3 */
  transfersOf(blockHash: Uint8Array, signal: AbortSignal): Promise<readonly BlockTransfer[]>;
}
