// Prints blocks as they become final, the oldest that the node remembers first.
//
//   npm start                                   # in another terminal
//   node examples/dist/watchBlocks.js [<how many>]
import { HttpClient } from "@vedette/client";
import { observerUrl } from "./surroundings.js";

const most = Number(process.argv[2] ?? "10");
const observer = new HttpClient(observerUrl);

let printed = 0;
// After a disconnect the stream goes on by itself at its cursor: no event is left out, none comes twice.
for await (const event of observer.events({ kinds: ["blockFinalized"], after: "oldest" })) {
  if (event.kind !== "blockFinalized") continue;
  console.log(`#${event.blockNumber} ${event.blockHash}`);
  printed += 1;
  if (printed === most) break;
}
