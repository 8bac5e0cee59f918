/**
 * A random order of the items.
 *
 * @spec 10 §4, §5
 * @param random a whole number of 0 or more, below its argument
 */
export function shuffle<Item>(items: readonly Item[], random: (below: number) => number): Item[] {
  const mixed = [...items];
  for (let last = mixed.length - 1; last > 0; last--) {
    const other = random(last + 1);
    const moved = mixed[last] as Item;
    mixed[last] = mixed[other] as Item;
    mixed[other] = moved;
  }
  return mixed;
}
