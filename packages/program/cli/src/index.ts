export { checkProof, type VerifyProofCommand } from "./checkProof.js";
export { CommandError, type CommandFailure } from "./client/CommandError.js";
export { exitCodes, exitCodeTexts } from "./exitCodes.js";
export { vedetteProgram } from "./vedetteProgram.js";
