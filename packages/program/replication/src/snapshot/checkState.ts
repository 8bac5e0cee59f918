import { equalBytes, toHex } from "@vedette/crypto";
import { hashKey } from "@vedette/protocol";
import { childrenOf, emptyRoot, isLeafOf, nextBytesOf, type StateStore } from "@vedette/tuplespace";
import type { Manifest } from "./manifest/Manifest.js";
import { SnapshotError } from "./SnapshotError.js";

const nodesPerYield = 500;

/** The data to check, and the receiver of progress. */
export interface StateChecking {
  readonly manifest: Manifest;
  readonly report: (stage: string, done: number, total: number) => void;
  readonly signal: AbortSignal;
}

/**
 * That nothing of a state is missing. What is there is right, as it is called by its hash.
 *
 * @throws {SnapshotError} `incomplete`; what the signal is aborted with
 */
export async function checkState(
  root: Uint8Array,
  states: StateStore,
  { manifest, report, signal }: StateChecking,
): Promise<void> {
  const incomplete = (reason: string) => new SnapshotError({ code: "incomplete", name: manifest.name, reason });
  const visited = new Set<string>();
  const pending: { readonly hash: Uint8Array; readonly firstByte: number | undefined }[] = [];
  if (!equalBytes(root, emptyRoot)) pending.push({ hash: root, firstByte: undefined });
  for (let place = pending.pop(); place !== undefined; place = pending.pop()) {
    const { hash, firstByte } = place;
    const key = hashKey(hash);
    if (visited.has(key)) continue;
    visited.add(key);
    const stored = states.storedNode(hash);
    if (stored === undefined) throw incomplete(`node ${toHex(hash)} is not in it`);
    const { nodes, leaves } = childrenOf(stored.node);
    const next = nextBytesOf(stored.node);
    for (const [at, target] of nodes.entries()) pending.push({ hash: target, firstByte: firstByte ?? next.nodes[at]! });
    const absent = leaves.find((target, at) => !hasLeafOf(states, target, firstByte ?? next.leaves[at]!));
    if (absent !== undefined) throw incomplete(`leaf ${toHex(absent)} is not in it`);
    if (visited.size % nodesPerYield > 0) continue;
    report("checking", visited.size, manifest.nodes);
    await new Promise((resolve) => setImmediate(resolve));
    signal.throwIfAborted();
  }
}

function hasLeafOf(states: StateStore, hash: Uint8Array, firstByte: number): boolean {
  if (states.form.uncoveredKind === undefined) return states.hasLeaf(hash);
  const bytes = states.leafBytes(hash);
  return bytes !== undefined && isLeafOf(states.form, bytes, firstByte);
}
