export { parseProgram } from "../syntax/Parser.js";
export { firstOffender, productions, terminals } from "./grammar.js";
