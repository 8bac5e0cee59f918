/** Where an index goes on. */
export interface IndexPosition {
  /** In the event log; `undefined` while all blocks are gone through first. */
  readonly cursor: string | undefined;
  /** The next height of those that are gone through; `undefined` when all have been. */
  readonly backfill: { readonly height: bigint; readonly cursor: string } | undefined;
}
