import { toHex } from "@vedette/crypto";
import type { Block } from "./Block.js";

/** First ten hex characters of a hash or key, and dots when there are more. @spec 40 §1.7 */
export function shortHash(hash: Uint8Array): string {
  const text = toHex(hash.length > 6 ? hash.subarray(0, 6) : hash);
  return text.length > 10 ? `${text.slice(0, 10)}...` : text;
}

/** A block in one short phrase: number and hash. @spec 40 §1.7 */
export function shortBlock(block: Block): string {
  const hash = shortHash(block.hash);
  // Quirk 40 §1.7: any block without parents is called genesis, whatever its number.
  if (block.parents.length === 0) return `Block #${block.number} (${hash}) with empty parents (supposedly genesis)`;
  return `#${block.number} (${hash})`;
}

/** A block with its sender, main parent, post-state and shard. @spec 40 §1.7 */
export function longBlock(block: Block): string {
  const parent = block.parents[0];
  if (parent === undefined) return shortBlock(block);
  return (
    `Block #${block.number} (${shortHash(block.hash)}) -- Sender ID ${shortHash(block.sender)}` +
    ` -- M Parent Hash ${shortHash(parent)} -- Contents ${shortHash(block.body.state.postStateHash)}` +
    `-- Shard ID ${block.shardId.slice(0, 10)}`
  );
}

/** Hashes in square brackets, with spaces between. @spec 40 §1.7 */
export function hashList(hashes: readonly Uint8Array[]): string {
  return `[${hashes.map(shortHash).join(" ")}]`;
}
