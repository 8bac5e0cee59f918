// node dist/chains/ownChainProgram.js <folder>: makes the chain `own` anew.
import { recordOwnChain } from "./recordOwnChain.js";

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new TypeError("usage: ownChainProgram.js <folder>");
await recordOwnChain(folder);
