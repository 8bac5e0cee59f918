import type { StoreItems, StoreNodeKey } from "@vedette/protocol";
import type { StateStore } from "../history/StateStore.js";
import { type CheckedPage, checkItems } from "./checkItems.js";

/**
 * Checks a received page and writes it.
 *
 * Unlike the reference (30 §6.7(3)) nothing is written of a page that is not right. The root is to be recorded
 * by the caller once {@link findMissing} finds nothing, so that a transfer that broke off leaves no usable root.
 *
 * @spec 30 §6.5 step 4, §6.6
 * @throws {TransferError}
 */
export function importItems(
  store: StateStore,
  request: { readonly startPath: readonly StoreNodeKey[]; readonly take: number },
  page: StoreItems,
): CheckedPage {
  const ownNode = (hash: Uint8Array) => store.findNode(hash);
  const { startPath, take } = request;
  const checked = checkItems({ startPath, take, ownNode, form: store.form }, page);
  store.putItems(page.historyItems, page.dataItems);
  return checked;
}
