import { equalBytes } from "@vedette/crypto";
import { Block, checkBlockSignature, type Dialect, decodeBlock, hashBlock } from "@vedette/protocol";
import { hasCoveredJustifications } from "./coveredJustifications.js";
import { maxPathBlocks, maxPathBytes } from "./findPath.js";
import { LightError } from "./LightError.js";
import { requireKnownVersion } from "./requireKnownVersion.js";

/**
 * Checks that blocks lead from a verified block down to one in its past: each has the hash that the block before it names
 * as a parent. Justifications and signatures, which hashes do not cover, are left out or checked.
 *
 * @param from   hash of a verified block, the first of the path
 * @param blocks BlockMessageProto each, from any server
 * @param isMain each block must be the main parent of the one before it
 * @returns the blocks
 * @throws {LightError} `path`, `tooLarge`, `unknownRules`
 * @spec 70 §7
 * @cost a hash over the bytes, and a signature for each block
 */
export function verifyPath(
  from: Uint8Array,
  blocks: readonly Uint8Array[],
  { dialect, isMain }: { readonly dialect: Dialect; readonly isMain: boolean },
): readonly Block[] {
  if (blocks.length === 0) throw new LightError({ code: "path", index: 0, problem: "is missing" });
  if (blocks.length > maxPathBlocks) throw new LightError({ code: "tooLarge", what: "blocks", limit: maxPathBlocks });
  if (blocks.reduce((sum, { length }) => sum + length, 0) > maxPathBytes)
    throw new LightError({ code: "tooLarge", what: "bytes", limit: maxPathBytes });
  const path: Block[] = [];
  for (const [index, bytes] of blocks.entries()) {
    const parents = path.at(-1)?.parents ?? [from];
    const wanted = isMain ? parents.slice(0, 1) : parents;
    path.push(readLinked(bytes, { index, wanted, dialect }));
  }
  return path;
}

interface Link {
  readonly index: number;
  readonly wanted: readonly Uint8Array[];
  readonly dialect: Dialect;
}

function readLinked(bytes: Uint8Array, { index, wanted, dialect }: Link): Block {
  let block: Block;
  try {
    block = decodeBlock(bytes, dialect.blockForm);
  } catch (cause) {
    throw new LightError({ code: "path", index, problem: "is no block of this dialect" }, { cause });
  }
  const hash = hashBlock(block, dialect);
  if (!equalBytes(hash, block.hash))
    throw new LightError({ code: "path", index, problem: "its content has another hash" });
  if (!wanted.some((one) => equalBytes(one, hash)))
    throw new LightError({ code: "path", index, problem: "the block above does not name it" });
  // Genesis has no sender.
  if (block.sender.length > 0 && checkBlockSignature(block, dialect) !== undefined)
    throw new LightError({ code: "path", index, problem: "invalid signature" });
  requireKnownVersion(block);
  return hasCoveredJustifications(block) ? block : new Block({ ...block, justifications: [] });
}
