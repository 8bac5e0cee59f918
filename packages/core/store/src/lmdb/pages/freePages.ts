import { readNumber } from "./PageFile.js";

const numberBytes = 8;

/**
 * The pages that a list of free ones names.
 *
 * @returns pages that lie side by side, each with their number; `undefined` where the list is none
 */
export function freePagesOf(list: Buffer): readonly (readonly [first: number, count: number])[] | undefined {
  if (list.length < numberBytes || list.length % numberBytes !== 0) return undefined;
  const length = readNumber(list, 0);
  if ((length + 1) * numberBytes > list.length) return undefined;
  const free: (readonly [number, number])[] = [];
  for (let index = 1; index <= length; index += 1) {
    const value = Number(list.readBigInt64LE(index * numberBytes));
    if (value === 0) continue;
    if (value > 0) {
      free.push([value, 1]);
      continue;
    }
    // Several side by side: how many, as a negative number, and the first of them.
    index += 1;
    if (index > length) return undefined;
    free.push([Number(list.readBigInt64LE(index * numberBytes)), -value]);
  }
  return free;
}
