import { ecosystemTables } from "./ecosystemTables.js";
import type { IndexTable } from "./IndexTable.js";
import { innerTables } from "./innerTables.js";
import { ownTables } from "./ownTables.js";
import { statisticsViews } from "./statisticsViews.js";

/** Every table and view of the index, in an order in which they can be made. @spec 60 §2 */
export const indexTables: readonly IndexTable[] = [
  ...innerTables,
  ...ecosystemTables,
  ...ownTables,
  ...statisticsViews,
];

const byName = new Map(indexTables.map((table) => [table.name, table]));

/** @throws {TypeError} for a name that no table has */
export function tableNamed(name: string): IndexTable {
  const table = byName.get(name);
  if (table === undefined) throw new TypeError(`no table ${name}`);
  return table;
}

/** The tables that users may query. */
export const openTables: readonly IndexTable[] = indexTables.filter(({ isInner }) => isInner !== true);
