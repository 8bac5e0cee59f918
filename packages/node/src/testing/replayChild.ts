// A program of its own that replays a recorded chain: node replayChild.js <chain> <data directory> <blocks of a group>
import { openDataDirectory } from "../machine/dataDirectory.js";
import { RecordedChain } from "../replay/RecordedChain.js";
import { replayChain } from "../replay/replayChain.js";

const [folder = "", path = "", mostBlocks = ""] = process.argv.slice(2);
await using directory = await openDataDirectory(path);
const { differences } = await replayChain({
  ...{ chain: new RecordedChain(folder), directory, start: "genesis", groups: { mostBlocks: Number(mostBlocks) } },
  signal: new AbortController().signal,
  progress: ({ blocks }) => void process.stdout.write(`${blocks}\n`),
});
if (differences.length > 0) throw new Error(differences.join("; "));
