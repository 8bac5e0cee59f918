export { answeredEval, answeredMatch, answeredParse } from "./answeredVectors.js";
export { firstOffender, productions, terminals } from "./grammar.js";
export { refusedToken } from "./refusedToken.js";
