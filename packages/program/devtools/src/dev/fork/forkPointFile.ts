import type { ForkPoint } from "./ForkPoint.js";

/** Encodes a point for the file that a forked chain begins with. */
export function encodeForkPoint(point: ForkPoint): string {
  const { blockNumber, timestamp } = point;
  return JSON.stringify({ ...point, blockNumber: String(blockNumber), timestamp: String(timestamp) });
}

/** Decodes a stored point. Earlier versions stored `f1r3node` as `newer`. */
export function decodeForkPoint(text: string): ForkPoint {
  const { blockNumber, timestamp, newer, ...point } = JSON.parse(text) as StoredPoint;
  const facts = newer === undefined ? {} : { f1r3node: newer };
  return { ...facts, ...point, blockNumber: BigInt(blockNumber), timestamp: BigInt(timestamp) };
}

type StoredPoint = Omit<ForkPoint, "blockNumber" | "timestamp"> &
  Record<"blockNumber" | "timestamp", string> & { readonly newer?: ForkPoint["f1r3node"] };
