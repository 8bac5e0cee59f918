/** Numbers that follow from a seed: each call gives the next one, from 0 up to 1, without 1. */
export type SeededRandom = () => number;

/** Mulberry32: enough to choose among states of a disk. */
export function seededRandom(seed: number): SeededRandom {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** @throws TypeError when there is nothing to choose from */
export function oneOf<Item>(items: readonly Item[], random: SeededRandom): Item {
  const item = items[Math.floor(random() * items.length)];
  if (item === undefined) throw new TypeError("nothing to choose from");
  return item;
}

/** The seed that `VEDETTE_SEED` names; else another one each day, so that every day's runs look elsewhere. */
export function seedOfToday(): number {
  const named = process.env["VEDETTE_SEED"];
  return named === undefined ? Math.floor(Date.now() / 86_400_000) : Number(named);
}
