export { BatchingStore } from "./batching/BatchingStore.js";
export { OverlayStore } from "./batching/OverlayStore.js";
export { type FreeSpace, freeSpaceOf } from "./freeSpace/freeSpaceOf.js";
export { checkEnvironment } from "./lmdb/checkEnvironment.js";
export { type Compaction, compactEnvironment } from "./lmdb/compactEnvironment.js";
export { type LmdbOptions, LmdbStore, type StoreUsage, type TableUsage } from "./lmdb/LmdbStore.js";
export { damageText, type FileDamage, uncheckedBytes } from "./lmdb/pages/checkFile.js";
export {
  type RewriteOptions,
  type RewrittenEnvironment,
  rewriteEnvironment,
  sealEnvironment,
} from "./lmdb/rewriteEnvironment.js";
export { MemoryStore } from "./memory/MemoryStore.js";
export {
  maximumKeyBytes,
  type Range,
  type ReadableTable,
  type Store,
  type Table,
  type WritableTables,
} from "./Store.js";
export { isDiskFull, isStoreFailure, StoreError, type StoreFailure } from "./StoreError.js";
export { type DamagedValue, watchDamage } from "./seal/damagedValues.js";
export { type TableFacts, type TableName, tables, tablesOf } from "./tables.js";
