import type { StoreItems, StoreNodeKey } from "@vedette/protocol";
import type { SpaceDialect } from "../form/SpaceDialect.js";
import type { StateStore } from "../history/StateStore.js";
import { LeafError } from "../leaf/LeafError.js";
import { type CheckedPage, checkItems } from "./checkItems.js";
import { StatePageError } from "./StatePageError.js";

/** A page that was written. */
export interface WrittenPage extends CheckedPage {
  /** Whether it brought something that was not here. */
  readonly isNew: boolean;
}

/**
 * Checks a received page and writes it.
 *
 * Unlike rnode (30 §6.7(3)) nothing is written of a page that is not right. The root is to be recorded
 * by the caller once {@link findMissing} finds nothing, so that copying that broke off leaves no usable root.
 *
 * @spec 30 §6.5 step 4, §6.6
 * @throws {StatePageError}
 */
export function importItems(
  store: StateStore,
  request: { readonly startPath: readonly StoreNodeKey[]; readonly take: number },
  page: StoreItems,
): WrittenPage {
  const ownNode = (hash: Uint8Array) => store.findNode(hash);
  const { startPath, take } = request;
  const checked = checkItems({ startPath, take, ownNode, form: store.form }, page);
  checkKinds(page.dataItems, store.form);
  const isNew =
    page.historyItems.some(({ key }) => store.findNode(key) === undefined) ||
    page.dataItems.some(({ key }) => !store.hasLeaf(key));
  store.putItems(page.historyItems, page.dataItems);
  return { ...checked, isNew };
}

/**
 * If a leaf's hash does not cover its kind, a page with another kind would replace the leaf here: each leaf is read by
 * its stated kind.
 *
 * @spec 61 §2.2, §16.3
 */
function checkKinds(leaves: StoreItems["dataItems"], { checkUncovered }: SpaceDialect): void {
  if (checkUncovered === undefined) return;
  for (const { key, value } of leaves) {
    try {
      checkUncovered(value);
    } catch (error) {
      if (error instanceof LeafError) throw new StatePageError({ code: "leafKind", key });
      throw error;
    }
  }
}
