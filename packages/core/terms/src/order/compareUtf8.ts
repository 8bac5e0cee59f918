/**
 * Order of two texts by their bytes in UTF-8, which is that of their code points: half a surrogate pair aside, UTF-16
 * differs from it where one has a pair and the other a unit above.
 *
 * @spec 20 §14.3
 */
export function compareUtf8(left: string, right: string): number {
  if (left === right) return 0;
  const length = Math.min(left.length, right.length);
  for (let i = 0; i < length; i += 1) {
    const leftUnit = left.charCodeAt(i);
    const rightUnit = right.charCodeAt(i);
    if (leftUnit === rightUnit) continue;
    const isLeftPair = isSurrogate(leftUnit);
    if (isLeftPair !== isSurrogate(rightUnit)) return isLeftPair ? 1 : -1;
    return leftUnit - rightUnit;
  }
  return left.length - right.length;
}

function isSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdfff;
}
