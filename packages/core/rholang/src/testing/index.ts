export { firstOffender, productions, terminals } from "./grammar.js";
export { refusedToken } from "./refusedToken.js";
