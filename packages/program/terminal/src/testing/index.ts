export { EmulatedTerminal } from "./EmulatedTerminal.js";
