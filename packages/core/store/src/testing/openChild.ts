// Opens the store in the folder that it is given, and says how that went: what the system does to a process that
// touches memory without room behind it must not befall the tests'.
import { LmdbStore } from "../lmdb/LmdbStore.js";
import { StoreError } from "../StoreError.js";

try {
  await new LmdbStore(process.argv[2]!, { tables: ["history"] }).close();
  process.stdout.write("opened\n");
} catch (error) {
  if (!(error instanceof StoreError)) throw error;
  process.stdout.write(`${error.failure.code}\n`);
}
