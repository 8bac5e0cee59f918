/** Where an index goes on. */
export interface IndexPosition {
  /** In the event log; `undefined` while all blocks are gone through first. */
  readonly cursor: string | undefined;
  /** The next height of those that are gone through; `undefined` when all have been. */
  readonly backfill: { readonly height: bigint; readonly cursor: string } | undefined;
  /** Which of several that could wrote last. */
  readonly writer?: string | undefined;
  /** The block that the chain is begun with, where another process's node begins it elsewhere. */
  readonly chain?: string | undefined;
  /** The height from which on the tables have all of the chain; left out where that has not changed. */
  readonly knownSince?: bigint | undefined;
}
