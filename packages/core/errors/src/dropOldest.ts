/** A `Map` or a `Set`. */
interface Collection<Key> {
  readonly size: number;
  keys(): Iterable<Key>;
  delete(key: Key): boolean;
}

/**
 * Removes the oldest entries of a bounded map or set: those that were set first, until `maxEntries` are left. To make an
 * entry the newest one, delete it before it is set again.
 */
export function dropOldest<Key>(collection: Collection<Key>, maxEntries: number): void {
  if (collection.size <= maxEntries) return;
  for (const oldest of collection.keys()) {
    collection.delete(oldest);
    if (collection.size <= maxEntries) return;
  }
}
