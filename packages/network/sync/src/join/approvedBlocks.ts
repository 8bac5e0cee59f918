import { type Block, hashKey } from "@vedette/protocol";
import type { ImportedBlock } from "../ports/ChainPort.js";
import { BlockRequester } from "./BlockRequester.js";

/** The blocks that belong to an approved one, or the first that is not there. */
export type ApprovedBlocks =
  | {
      readonly kind: "whole";
      /** Those that are entered into the DAG: the highest first; among them the approved one. */
      readonly hashes: readonly Uint8Array[];
      /** All that were looked at, some of them for what is above them alone. */
      readonly looked: readonly Uint8Array[];
    }
  | { readonly kind: "missing"; readonly hash: Uint8Array };

/**
 * Returns the blocks that a node needs beside a state to begin at its block, if they are all stored: those that a
 * joining node requests from its peers.
 *
 * @param find a block with a verified hash
 * @param lowest height down to which more than those are wanted
 * @spec 40 §3.8, 61 §16.4
 */
export function blocksAround(
  approved: Block,
  find: (hash: Uint8Array) => Block | undefined,
  lowest?: bigint,
): ApprovedBlocks {
  // The stored blocks bound their number.
  const requester = new BlockRequester(approved, lowest, Number.POSITIVE_INFINITY);
  const looked: Uint8Array[] = [];
  for (let hashes = requester.next(); hashes.length > 0; hashes = requester.next()) {
    for (const hash of hashes) {
      const block = find(hash);
      if (block === undefined) return { kind: "missing", hash };
      requester.receive(block);
      looked.push(hash);
    }
  }
  return { kind: "whole", hashes: requester.fetched.map(({ hash }) => hash), looked };
}

/**
 * Returns the blocks that enter the DAG of a node that begins at an approved block, beside that block.
 *
 * @param hashes of the blocks that belong to it, in the order of {@link blocksAround}
 * @spec 40 §3.9
 */
export function importedBlocks(approved: Block, hashes: readonly Uint8Array[]): ImportedBlock[] {
  const slashed = slashedLatest(approved);
  return hashes
    .filter((hash) => hashKey(hash) !== hashKey(approved.hash))
    .map((hash) => ({ hash, isInvalid: slashed.has(hashKey(hash)) }));
}

/** Latest messages of validators that were slashed: these blocks are invalid. @spec 40 §3.9 */
function slashedLatest(approved: Block): ReadonlySet<string> {
  const slashed = new Set<string>();
  for (const { validator, stake } of approved.body.state.bonds) if (stake === 0n) slashed.add(hashKey(validator));
  const latest = approved.justifications.filter(({ validator }) => slashed.has(hashKey(validator)));
  return new Set(latest.map(({ latestBlockHash }) => hashKey(latestBlockHash)));
}
