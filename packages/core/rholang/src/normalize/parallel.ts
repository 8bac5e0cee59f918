import type { ParBuilder } from "@vedette/terms";
import type { ParallelProcess } from "../syntax/ast.js";
import type { FreeMap } from "./FreeMap.js";
import type { Normalizer } from "./Normalizer.js";

/** `P | Q | …`: each adds its parts to the same accumulator. @spec 20 §7.2 */
export function normalizeParallel(
  { processes }: ParallelProcess,
  into: ParBuilder,
  free: FreeMap,
  normalizer: Normalizer,
): void {
  for (const process of processes) normalizer.process(process, into, free);
}
