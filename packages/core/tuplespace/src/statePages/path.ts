import type { StoreNodeKey } from "@vedette/protocol";
import { StatePageError } from "./StatePageError.js";

/** A place in the tree at which a page begins. @spec 30 §6.2 */
export interface PageStart {
  readonly root: Uint8Array;
  /** Key bytes that lead to the node at which the page before stopped; absent to start at the root itself. */
  readonly prefix: Uint8Array | undefined;
}

const pieceBytes = 32;
const pieces = 4;
const fullStoreNodeKeys = 6;
const longestPrefix = 127;
/** rnode sends 7; a little more is harmless, a lot is an attack. */
const maxElements = 64;

/**
 * Reads a request's path.
 *
 * @spec 30 §6.2
 * @throws {StatePageError} `badPath`
 */
export function decodePath(path: readonly StoreNodeKey[]): PageStart {
  const root = path[0]?.hash;
  if (root === undefined || root.length !== pieceBytes) throw bad("the root hash is missing");
  if (path.length > maxElements) throw bad(`${path.length} elements`);
  if (path.length === 1) return { root, prefix: undefined };
  if (path.length < fullStoreNodeKeys) throw bad(`${path.length} elements`);
  for (let i = 1; i < fullStoreNodeKeys; i += 1) {
    if (path[i]!.hash.length !== pieceBytes) throw bad(`element ${i} is not of 32 bytes`);
  }
  const length = path[1]!.hash[0]!;
  if (length > longestPrefix) throw bad(`a prefix of ${length} bytes`);
  const padded = new Uint8Array(pieces * pieceBytes);
  for (let i = 0; i < pieces; i += 1) padded.set(path[i + 2]!.hash, i * pieceBytes);
  return { root, prefix: padded.slice(0, length) };
}

/**
 * The path of a place, six elements long.
 *
 * @spec 30 §6.2
 * @throws {StatePageError} `badPath` when the place lies too deep for a path, which no tree of the tuple space does
 */
export function encodePath(root: Uint8Array, prefix: Uint8Array): StoreNodeKey[] {
  if (prefix.length > longestPrefix) throw bad(`a prefix of ${prefix.length} bytes`);
  const length = new Uint8Array(pieceBytes);
  length[0] = prefix.length;
  const padded = new Uint8Array(pieces * pieceBytes);
  padded.set(prefix);
  const path = [element(root), element(length)];
  for (let i = 0; i < pieces; i += 1) path.push(element(padded.slice(i * pieceBytes, (i + 1) * pieceBytes)));
  return path;
}

/** A path's element for a hash; with the radix tree none has an index. @spec 30 §6.1, §6.2 */
export function element(hash: Uint8Array): StoreNodeKey {
  return { hash, index: undefined };
}

function bad(detail: string): StatePageError {
  return new StatePageError({ code: "badPath", detail });
}
