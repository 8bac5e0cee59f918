/** One page of many, and where the next begins. */
export interface Page {
  /** `after` of the next page; null on the last one. */
  readonly next: string | null;
}

/**
 * Everything that stands on several pages, asked for page by page as it is taken.
 *
 * @param ask requests the page that begins after a place
 * @param itemsOf what stands on a page
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
