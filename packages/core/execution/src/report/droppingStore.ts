import type { Store, Table, TableName, WritableTables } from "@vedette/store";

/** A store that shows what another one has and forgets what is written, so that a root can be worked out for itself. */
export function droppingStore(store: Store): Store {
  const tables: WritableTables = (name: TableName): Table => {
    const table = store.table(name);
    return {
      get: (key) => table.get(key),
      has: (key) => table.has(key),
      range: (range) => table.range(range),
      count: () => table.count(),
      put: () => {},
      delete: () => {},
    };
  };
  return {
    table: (name) => store.table(name),
    write: (work) => work(tables),
    together: (work) => work(),
    sync: async () => {},
    close: async () => {},
    [Symbol.asyncDispose]: async () => {},
  };
}
