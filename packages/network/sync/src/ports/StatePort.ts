import type { StoreItems, StoreNodeKey } from "@vedette/protocol";

/** The next page to fetch of a state. @spec 30 §6.5, §6.7 */
export interface ImportedPage {
  /** Where the next page begins; `undefined` after the last one. */
  readonly nextPath: readonly StoreNodeKey[] | undefined;
  /** Whether the page brought something that was not here. */
  readonly isNew: boolean;
}

/** Takes a state from a peer, page by page. @spec 30 §6.5, §6.6 */
export interface StateImportPort {
  /** Whether a state may be used. @spec 30 §5.7 */
  hasRoot(root: Uint8Array): Promise<boolean>;
  /** Roots of subtrees of which something is absent, some of them; none when the state is complete. */
  missing(root: Uint8Array): Promise<readonly Uint8Array[]>;
  /** Checks a page and writes it. @throws {StatePageError} when it is not the requested page */
  importPage(startPath: readonly StoreNodeKey[], take: number, page: StoreItems): Promise<ImportedPage>;
  /** Allows the use of a state that is complete. */
  recordRoot(root: Uint8Array): Promise<void>;
}

/** Gives a state to peers. @spec 30 §6.3, §6.4 */
export interface StateExportPort {
  /** @returns `undefined` where there is nothing to answer; @throws {StatePageError} for a bad request */
  exportPage(startPath: readonly StoreNodeKey[], skip: number, take: number): Promise<StoreItems | undefined>;
}
