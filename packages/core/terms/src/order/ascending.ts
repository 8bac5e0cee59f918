import type { AtomOrder } from "./compareAtoms.js";

/** Shorter lists are soon looked through again. */
const fewItems = 32;

/** Long lists of elements or entries in canonical form that were found to ascend, and by which order. */
const ascending = new WeakMap<readonly unknown[], AtomOrder>();

/** Whether a list is known to ascend strictly, so that of it nothing has to be compared again: it never changes. */
export function isKnownToAscend(list: readonly unknown[], atoms: AtomOrder): boolean {
  return list.length > fewItems && ascending.get(list) === atoms;
}

/** Remembers that a list of items in canonical form ascends strictly. */
export function noteAscending(list: readonly unknown[], atoms: AtomOrder): void {
  if (list.length > fewItems) ascending.set(list, atoms);
}

/**
 * Remembers of a list that it ascends if the one does that it was made of, by leaving items out, or by putting items in
 * canonical form in where they belong.
 */
export function ascendingAs<List extends readonly unknown[]>(origin: readonly unknown[], list: List): List {
  const atoms = ascending.get(origin);
  if (atoms !== undefined) noteAscending(list, atoms);
  return list;
}
