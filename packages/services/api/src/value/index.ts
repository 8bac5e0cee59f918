// How values are told, without the contracts of the routes, which threads have no use for.
export { JsonFloat, type JsonValue, printJson } from "../json/printJson.js";
export { f1r3nodeExprOf } from "./f1r3nodeExpr.js";
export { type RhoExpr, rhoExprOf } from "./rhoExpr.js";
export { taggedExpr } from "./taggedExpr.js";
