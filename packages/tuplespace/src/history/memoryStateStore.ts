import { MemoryStore } from "@vedette/store";
import type { SpaceForm } from "../form/SpaceForm.js";
import { StateStore, stateTables } from "./StateStore.js";

/** States that live as long as the process: for vectors, tests and trials. @spec 30 §5.8 */
export function memoryStateStore(form?: SpaceForm): StateStore {
  const store = new MemoryStore(Object.values(stateTables));
  return new StateStore(store, form === undefined ? {} : { form });
}
