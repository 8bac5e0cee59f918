import { MemoryStore } from "@vedette/store";
import type { SpaceDialect } from "../form/SpaceDialect.js";
import { StateStore, stateTables } from "./StateStore.js";

/** States that live as long as the process: for vectors, tests and trials. @spec 30 §5.8 */
export function memoryStateStore(form?: SpaceDialect): StateStore {
  const store = new MemoryStore(Object.values(stateTables));
  return new StateStore(store, form === undefined ? {} : { form });
}
