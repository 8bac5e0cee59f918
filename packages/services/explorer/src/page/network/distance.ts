/** Bits of a node's name: the hash of its certificate's key. */
const idBits = 160;

/**
 * How many first bits two nodes' names have in common: the row of the Kademlia table in which one keeps the other.
 *
 * @param one other hexadecimal digits; `undefined` where they are no names
 * @spec 10 §5
 */
export function commonBits(one: string, other: string): number | undefined {
  if (!/^[0-9a-f]{40}$/i.test(one) || !/^[0-9a-f]{40}$/i.test(other)) return undefined;
  for (let index = 0; index < one.length; index += 1) {
    const differ = Number.parseInt(one[index]!, 16) ^ Number.parseInt(other[index]!, 16);
    if (differ !== 0) return index * 4 + Math.clz32(differ) - 28;
  }
  return idBits;
}

/** The name in an address: `rnode://<name>@<host>?…`. */
export function idOfAddress(address: string): string | undefined {
  return /^rnode:\/\/([0-9a-f]{40})@/i.exec(address)?.[1];
}
