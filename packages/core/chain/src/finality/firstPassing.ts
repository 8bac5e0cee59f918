/**
 * The first index that passes, where all after one that passes pass too; looks near the end first.
 *
 * @param from those before it do not pass
 * @returns `count` where none passes
 * @cost twice the binary logarithm of how far the first is from the end
 */
export function firstPassing(count: number, passes: (index: number) => boolean, from = 0): number {
  let [fails, first] = [from - 1, count];
  for (let step = 1; first - fails > 1; ) {
    const index = Math.max(first - step, (fails + first) >> 1);
    if (passes(index)) {
      first = index;
      step *= 2;
    } else {
      fails = index;
      step = count;
    }
  }
  return first;
}
