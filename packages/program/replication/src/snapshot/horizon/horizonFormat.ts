import { concatBytes } from "@vedette/crypto";

const hashBytes = 32;
const headBytes = 2 * hashBytes + 8;
/** The maximum size of the nodes and leaves of one state; a larger one is left to peers. */
export const maxStateBytes = 128 << 20;

/** The head before the nodes and leaves that an earlier state has beside all those before it. */
export interface StateHead {
  readonly root: Uint8Array;
  /** An earlier state in the chunk, from which it differs in little. */
  readonly base: Uint8Array;
  readonly nodes: number;
  readonly leaves: number;
}

/** As an entry of a snapshot. */
export function encodeStateHead({ root, base, nodes, leaves }: StateHead): Uint8Array {
  const counts = new Uint8Array(8);
  const view = new DataView(counts.buffer);
  view.setUint32(0, nodes);
  view.setUint32(4, leaves);
  return concatBytes(root, base, counts);
}

/** @returns `undefined` for what is no such entry */
export function decodeStateHead(bytes: Uint8Array): StateHead | undefined {
  if (bytes.length !== headBytes) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset + 2 * hashBytes);
  // Copies: views would keep the whole chunk.
  const [root, base] = [bytes.slice(0, hashBytes), bytes.slice(hashBytes, 2 * hashBytes)];
  return { root, base, nodes: view.getUint32(0), leaves: view.getUint32(4) };
}

/** Encodes the changes that the deploys of a block made to number channels, as an entry of a snapshot. */
export function encodeNumbers(block: Uint8Array, entry: Uint8Array): Uint8Array {
  return concatBytes(block, entry);
}

/** @returns `undefined` for what is no such entry */
export function decodeNumbers(
  bytes: Uint8Array,
): { readonly block: Uint8Array; readonly entry: Uint8Array } | undefined {
  if (bytes.length < hashBytes) return undefined;
  return { block: bytes.slice(0, hashBytes), entry: bytes.slice(hashBytes) };
}
