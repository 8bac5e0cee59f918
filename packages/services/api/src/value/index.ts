// How values are encoded, without the contracts of the routes: threads do not load those.
export { JsonFloat, type JsonValue, printJson } from "../json/printJson.js";
export { f1r3nodeExprOf } from "./f1r3nodeExpr.js";
export { type RhoExpr, rhoExprOf } from "./rhoExpr.js";
export { taggedExpr } from "./taggedExpr.js";
