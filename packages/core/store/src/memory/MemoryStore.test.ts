import { storeContract } from "../testing/storeContract.js";
import { MemoryStore } from "./MemoryStore.js";

storeContract("MemoryStore", async () => ({
  store: new MemoryStore(["history", "roots", "cold"]),
  remove: async () => {},
}));
