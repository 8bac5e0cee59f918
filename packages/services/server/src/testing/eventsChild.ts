import { FakeEventChain } from "@vedette/queries/eventsTesting";
import { LmdbStore, tablesOf } from "@vedette/store";
import { EventsNode } from "./EventsNode.js";

// A process of its own that puts the same blocks into a store again and again, until it is killed.
const [directory = "", count = "0"] = process.argv.slice(2);
const store = new LmdbStore(directory, { tables: tablesOf("chain") });
const node = await EventsNode.start({ store });
const made = new FakeEventChain();
made.grow(Number(count));
process.stdout.write(`${node.port}\n`);
for (const block of made.blocks) {
  if (node.chain.dag.has(block.hash)) continue;
  await node.take([block]);
  // Readers get their turn.
  await new Promise((resolve) => setImmediate(resolve));
}
process.stdout.write("done\n");
