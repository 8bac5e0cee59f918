// How values are told, without the contracts of the routes, which threads have no use for.
export { JsonFloat, type JsonValue, printJson } from "../json/printJson.js";
export { newerExprOf } from "./newerExpr.js";
export { type RhoExpr, rhoExprOf } from "./rhoExpr.js";
export { taggedExpr } from "./taggedExpr.js";
