export { type ArrowColumn, arrowParts, arrowStream, arrowTypes } from "../sql/arrow.js";
export { rowsText } from "../sql/cells.js";
export type { Column, Relation, Table } from "./Table.js";
export { indexTables, openTables } from "./tables.js";
