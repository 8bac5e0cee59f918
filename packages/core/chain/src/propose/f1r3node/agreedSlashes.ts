import { hashKey } from "@vedette/protocol";
import type { BlockTable } from "../../block/BlockTable.js";
import type { BlockMetadata } from "../../dag/BlockMetadata.js";
import type { Dag } from "../../dag/Dag.js";
import { slashesOf } from "../../slashing/f1r3node/epochSlashing.js";

/** Verdicts that depend on which blocks a node has received before. */
const ofView: ReadonlySet<string | undefined> = new Set([
  "UnauthorizedSlashDeploy",
  "NeglectedInvalidBlock",
  "NeglectedEquivocation",
  "InvalidBondsCache",
]);

/**
 * Whether all other validators accept a slash for an invalid block, as far as their latest blocks show.
 *
 * f1r3node slashes in every block for each block that it finds invalid, and refuses a block that slashes for a block
 * that it finds valid.
 *
 * @param main its bonds list the other validators
 * @param senderKey `hashKey` of the proposer's public key
 * @returns for an invalid block, whether each other validator with stake, the offender left out, slashes for it in its
 *   latest block; never where there is no other, nor for a block that an honest validator may have made that saw others
 *   first
 * @spec 61 §15.2, §15.5
 * @cost one block of each validator, read once, where there is something to slash for
 */
export function agreedSlashes(
  { dag, blocks }: { readonly dag: Dag; readonly blocks: Pick<BlockTable, "find"> },
  main: BlockMetadata,
  senderKey: string,
): (invalidBlock: Uint8Array) => boolean {
  const read = new Map<string, ReadonlySet<string>>();
  const slashedBy = (validatorKey: string): ReadonlySet<string> => {
    let slashed = read.get(validatorKey);
    if (slashed === undefined) {
      slashed = slashedInLatest(validatorKey);
      read.set(validatorKey, slashed);
    }
    return slashed;
  };
  const slashedInLatest = (validatorKey: string): ReadonlySet<string> => {
    const hash = dag.latestMessage(validatorKey);
    const latest = hash === undefined || dag.isInvalid(hash) ? undefined : blocks.find(hash);
    if (latest === undefined || hashKey(latest.sender) !== validatorKey) return new Set();
    return new Set(slashesOf(latest).map(({ invalidBlockHash }) => hashKey(invalidBlockHash)));
  };
  let revised: ReadonlySet<string> | undefined;
  const isRevised = (hash: Uint8Array): boolean => {
    revised ??= new Set(dag.revisedBlocks().map(hashKey));
    return revised.has(hashKey(hash));
  };
  return (invalidBlock) => {
    const key = hashKey(invalidBlock);
    const block = dag.find(invalidBlock);
    if (block === undefined || ofView.has(dag.invalidReason(invalidBlock))) return false;
    // A block above one that was not executed in time may have another verdict than its own content deserves.
    if (block.parents.some((parent) => dag.isInvalid(parent) || isRevised(parent))) return false;
    const others = [...main.bonds.stakes].filter(
      ([validator, stake]) => stake > 0n && validator !== senderKey && validator !== block.senderKey,
    );
    return others.length > 0 && others.every(([validator]) => slashedBy(validator).has(key));
  };
}
