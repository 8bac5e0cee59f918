/** One page of many, and where the next begins. */
export interface Page {
  /** `after` of the next page; null on the last one. */
  readonly next: string | null;
}

/**
 * Iterates over the items of several pages, requested page by page as they are taken.
 *
 * @param ask requests the page that begins after a place
 * @param itemsOf returns the items of a page
 */
export async function* everyPage<P extends Page, Item>(
  ask: (after: string | undefined) => Promise<P>,
  itemsOf: (page: P) => readonly Item[],
): AsyncGenerator<Item, void, undefined> {
  let after: string | undefined;
  for (;;) {
    const page = await ask(after);
    yield* itemsOf(page);
    // A node that names the same place again would cause an endless loop.
    if (page.next === null || page.next === after) return;
    after = page.next;
  }
}
