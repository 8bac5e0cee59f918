// Writes again and again into the store in the folder that it is given, while its parent fills and empties the disk: if
// damaged memory makes the system end the process, the tests' process must survive. Reports how many writes were kept.
import { once } from "node:events";
import { LmdbStore } from "../lmdb/LmdbStore.js";
import { isDiskFull } from "../StoreError.js";

const store = new LmdbStore(process.argv[2]!, { tables: ["history", "cold"] });
const contentOf = (number: number) => new Uint8Array(1 + ((number * 7919) % 60_000)).fill(number);
const keyOf = (number: number) => Uint8Array.of(number >>> 8, number & 255);
let [kept, refused] = [0, 0];

/** Six writes, of which the disk may take some. */
function round(): void {
  for (let tries = 0; tries < 6; tries += 1)
    try {
      store.together(() => {
        store.write((open) => open("history").put(keyOf(kept), contentOf(kept)));
        store.write((open) => open("cold").put(keyOf(kept % 5), contentOf(kept)));
        if (kept % 3 === 0) store.write((open) => open("cold").delete(keyOf((kept + 1) % 5)));
      });
      kept += 1;
    } catch (error) {
      if (!isDiskFull(error)) throw error;
      refused += 1;
    }
  for (let number = 0; number < kept; number += 1)
    if (store.table("history").get(keyOf(number))?.length !== contentOf(number).length) throw new TypeError("lost");
}

for (;;) {
  const [order] = (await once(process, "message")) as [string];
  if (order === "round") round();
  process.send!({ kept, refused });
  if (order === "end") break;
}
await store.close();
process.disconnect();
