type Step<T, Self> = (this: Self, term: T, depth: number, shift: number) => T;

/**
 * Maps a list with a method of a substitution; gives back the list itself where nothing changes.
 *
 * PERF: a list that grows takes room for 16 items more than it has, and nearly all lists have one or two.
 */
export function mapped<T, Self>(
  terms: readonly T[],
  step: Step<T, Self>,
  self: Self,
  depth: number,
  shift: number,
): readonly T[] {
  const count = terms.length;
  if (count === 0) return terms;
  if (count === 1) {
    const result = step.call(self, terms[0]!, depth, shift);
    return result === terms[0] ? terms : [result];
  }
  let changed: T[] | undefined;
  for (let i = 0; i < count; i += 1) {
    const term = terms[i]!;
    const result = step.call(self, term, depth, shift);
    if (changed === undefined && result !== term) changed = terms.slice();
    if (changed !== undefined) changed[i] = result;
  }
  return changed ?? terms;
}
