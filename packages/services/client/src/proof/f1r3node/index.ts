export { f1r3nodeProofs } from "./f1r3nodeProofs.js";
