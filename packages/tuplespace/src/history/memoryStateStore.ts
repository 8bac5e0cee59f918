import { MemoryStore } from "@vedette/store";
import { StateStore, stateTables } from "./StateStore.js";

/** States that live as long as the process: for vectors, tests and trials. @spec 30 §5.8 */
export function memoryStateStore(): StateStore {
  return new StateStore(new MemoryStore(Object.values(stateTables)));
}
