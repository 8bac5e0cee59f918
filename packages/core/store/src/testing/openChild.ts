// Opens the store in the given folder, and reports the result. If the system ends a process that touches memory
// without room behind it, the tests' process must survive.
import { LmdbStore } from "../lmdb/LmdbStore.js";
import { StoreError } from "../StoreError.js";

try {
  await new LmdbStore(process.argv[2]!, { tables: ["history"] }).close();
  process.stdout.write("opened\n");
} catch (error) {
  if (!(error instanceof StoreError)) throw error;
  process.stdout.write(`${error.failure.code}\n`);
}
