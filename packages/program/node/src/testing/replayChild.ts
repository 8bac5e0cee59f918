// A separate program that replays a recorded chain, and kills itself after a number of blocks:
// node replayChild.js <chain> <data directory> <blocks of a group> [blocks]
import { writeSync } from "node:fs";
import { openDataDirectory } from "../machine/dataDirectory.js";
import { RecordedChain } from "../replay/RecordedChain.js";
import { replayChain } from "../replay/replayChain.js";

const [folder = "", path = "", maxBlocks = "", killAfter = ""] = process.argv.slice(2);
let printed = 0;
const chain = new RecordedChain(folder);
await using directory = await openDataDirectory(path, chain.dialect.name);
const { differences } = await replayChain({
  ...{ chain, directory, start: "genesis", groups: { maxBlocks: Number(maxBlocks) } },
  signal: new AbortController().signal,
  progress: ({ blocks }) => {
    // Whole, as the program may end with the next instruction.
    writeSync(process.stdout.fd, `${blocks}\n`);
    printed += 1;
    if (killAfter !== "" && printed === Number(killAfter)) process.kill(process.pid, "SIGKILL");
  },
});
if (differences.length > 0) throw new Error(differences.join("; "));
