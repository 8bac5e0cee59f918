export { textOf } from "./textOf.js";
