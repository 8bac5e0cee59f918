import type { TableName } from "@vedette/store";

/** Bytes of blocks: they come from peers again. */
const blockTables: ReadonlySet<TableName> = new Set(["blocks", "packedBlocks", "blockParts"]);

/** Tables with the results of executing blocks: they are made again by executing them. */
export const outcomeTables: ReadonlySet<TableName> = new Set(["mergeable", "outcomes"]);

/** Tables that the node fills again by itself once they are empty, all of a group together. */
export const refilledTables: readonly (readonly TableName[])[] = [
  ["eventLog", "undecidedBlocks"],
  ["historyBlocks", "historyGaps", "historyOfAddress"],
];

/** Tables with content that cannot be derived: their whole entries are kept. */
export const ownTables: readonly TableName[] = ["ownProposals", "deployPool", "refusedDeploys", "statelessBlocks"];

/** Tables that the node does not need: if an entry is missing, its work is done again. */
const spareTables: ReadonlySet<TableName> = new Set([
  "bufferedBlocks",
  "replayedBlocks",
  "provenHistory",
  "missingBlocks",
  "followed",
]);

/** Whether only a chain that is made anew from its blocks has all of a table again. */
export function isDerived(table: TableName): boolean {
  const isOther =
    blockTables.has(table) ||
    spareTables.has(table) ||
    ownTables.includes(table) ||
    refilledTables.some((group) => group.includes(table));
  return !isOther;
}
