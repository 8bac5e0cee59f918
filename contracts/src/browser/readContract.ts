/** A browser makes no genesis, and a site does not carry the contracts. */
export function readContract(name: string): string {
  throw new Error(`${name} is not there in a browser`);
}
