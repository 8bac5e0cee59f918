/** Folders of a place. */
export const manifestFolder = "manifests/";
export const chunkFolder = "chunks/";

const manifestPattern = /^manifests\/([0-9]{12})-([0-9a-f]{64})\.json$/;

/** Where a chunk lies. @param hash 64 hex digits */
export function chunkName(hash: string): string {
  return `${chunkFolder}${hash.slice(0, 2)}/${hash}`;
}

/** The hash of the chunk that lies there; `undefined` for anything else. */
export function chunkOf(name: string): string | undefined {
  const hash = name.slice(name.lastIndexOf("/") + 1);
  return /^[0-9a-f]{64}$/.test(hash) && name === chunkName(hash) ? hash : undefined;
}

/** Where a manifest lies. */
export function manifestName(height: bigint, blockHash: string): string {
  return `${manifestFolder}${String(height).padStart(12, "0")}-${blockHash}.json`;
}

/** Returns the block of a manifest, by its name; `undefined` for any other name. */
export function manifestOf(name: string): { readonly height: bigint; readonly blockHash: string } | undefined {
  const found = manifestPattern.exec(name);
  return found === null ? undefined : { height: BigInt(found[1]!), blockHash: found[2]! };
}
