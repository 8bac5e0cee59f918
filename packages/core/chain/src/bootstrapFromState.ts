import { type ApprovedBlock, type Block, hashKey } from "@vedette/protocol";
import type { WritableTables } from "@vedette/store";
import { type BlockTable, putApproved } from "./block/BlockTable.js";
import { ChainError } from "./ChainError.js";
import type { Dag } from "./dag/Dag.js";
import type { Insertion } from "./dag/insertBlock.js";
import { readEvidence } from "./evidence/evidenceBytes.js";

/**
 * Begins at a state that was imported: in one transaction the DAG becomes the approved block and these others.
 *
 * The approved block's ancestors among them are final with it.
 *
 * @param blocks stored already; in the order in which they are to be entered, without the approved block: the
 *   highest first. Where blocks are judged by evidence, their statements show which of them are invalid
 * @param also written in the same transaction
 * @throws {ChainError} `blockMissing` when one is not stored; nothing has changed then
 * @spec 40 §3.5, §3.9
 */
export function bootstrapFromState(
  { dag, blocks: table }: { readonly dag: Dag; readonly blocks: BlockTable },
  approved: ApprovedBlock,
  blocks: readonly { readonly hash: Uint8Array; readonly isInvalid: boolean }[],
  also?: (tables: WritableTables) => void,
): void {
  const { block: first } = approved.candidate;
  dag.replaceAll(
    entriesAtState(first, blocks, (hash) => table.find(hash)),
    (tables) => {
      table.putIn(tables, first);
      putApproved(tables, approved);
      also?.(tables);
    },
  );
}

/** How the blocks enter the DAG of a node that begins at an approved one. @throws {ChainError} `blockMissing` */
export function* entriesAtState(
  first: Block,
  blocks: readonly { readonly hash: Uint8Array; readonly isInvalid: boolean }[],
  find: (hash: Uint8Array) => Block | undefined,
): Generator<{ readonly block: Block; readonly insertion: Insertion }> {
  const require = (hash: Uint8Array): Block => {
    const block = find(hash);
    if (block === undefined) throw new ChainError({ code: "blockMissing", hash });
    return block;
  };
  function* statements(): Generator<Block> {
    yield first;
    for (const { hash } of blocks) yield require(hash);
  }
  const stated = declaredInvalidBlocks(statements());
  yield { block: first, insertion: { invalid: false, approved: true } };
  // Descending heights: a block's children have come before it, so that finality can be handed down.
  const finalized = new Set(first.parents.map(hashKey));
  for (const { hash, isInvalid } of blocks) {
    const block = require(hash);
    const isFinalized = finalized.has(hashKey(hash));
    if (isFinalized) for (const parent of block.parents) finalized.add(hashKey(parent));
    const invalid = stated?.has(hashKey(hash)) ?? isInvalid;
    yield { block, insertion: { invalid, approved: false, finalized: isFinalized } };
  }
}

/**
 * The keys of the blocks that statements call invalid: a node that joins by state learns of invalid blocks from them.
 * Sides of an equivocation are valid, whether or not a slash names them.
 *
 * @returns `undefined` where blocks are judged by arrival, and state nothing
 * @spec 40 §3.9, §16.1
 */
export function declaredInvalidBlocks(blocks: Iterable<Block>): ReadonlySet<string> | undefined {
  const invalid = new Set<string>();
  for (const { extraBytes } of blocks) {
    const statement = readEvidence(extraBytes);
    if (statement === undefined) return undefined;
    for (const { first, second } of statement.offences) if (second === undefined) invalid.add(hashKey(first));
  }
  return invalid;
}
