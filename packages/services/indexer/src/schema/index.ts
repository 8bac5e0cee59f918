export { type ArrowColumn, arrowParts, arrowStream, arrowTypes } from "../sql/arrow.js";
export { rowsText } from "../sql/cells.js";
export type { Column, IndexTable, Relation } from "./IndexTable.js";
export { indexTables, openTables } from "./tables.js";
