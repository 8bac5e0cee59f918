export { rustProofs } from "./rustProofs.js";
