/** Events by their keys; two events with one hash are one event. @spec 30 §1.1 */
export type EventSet<Item extends { readonly key: string }> = ReadonlyMap<string, Item>;

/** The set of these events. */
export function eventSet<Item extends { readonly key: string }>(items: Iterable<Item>): EventSet<Item> {
  const set = new Map<string, Item>();
  for (const item of items) set.set(item.key, item);
  return set;
}

/** Events of any of the sets. */
export function union<Item extends { readonly key: string }>(...sets: readonly EventSet<Item>[]): EventSet<Item> {
  const result = new Map<string, Item>();
  for (const set of sets) for (const [key, item] of set) result.set(key, item);
  return result;
}

/** Events of a set that are in none of the others. */
export function minus<Item extends { readonly key: string }>(
  set: EventSet<Item>,
  ...others: readonly EventSet<Item>[]
): EventSet<Item> {
  const result = new Map<string, Item>();
  for (const [key, item] of set) if (!others.some((other) => other.has(key))) result.set(key, item);
  return result;
}

/** Events of both sets. */
export function intersection<Item extends { readonly key: string }>(
  left: EventSet<Item>,
  right: EventSet<Item>,
): EventSet<Item> {
  const result = new Map<string, Item>();
  for (const [key, item] of left) if (right.has(key)) result.set(key, item);
  return result;
}

/** Events of a set that are wanted. */
export function only<Item extends { readonly key: string }>(
  set: EventSet<Item>,
  isWanted: (item: Item) => boolean,
): EventSet<Item> {
  const result = new Map<string, Item>();
  for (const [key, item] of set) if (isWanted(item)) result.set(key, item);
  return result;
}

/** Whether any event of a set is wanted. */
export function someOf<Item extends { readonly key: string }>(
  set: EventSet<Item>,
  isWanted: (item: Item) => boolean,
): boolean {
  for (const item of set.values()) if (isWanted(item)) return true;
  return false;
}
