/** The events of stored data, beside the chain's own course. */
export type UpkeepEvent =
  | { readonly type: "packingFailed"; readonly reason: unknown }
  /** A round is done. `below`: the height below which no states are kept. */
  | { readonly type: "statesPruned"; readonly below: bigint; readonly removed: number }
  | { readonly type: "pruningFailed"; readonly reason: unknown };
