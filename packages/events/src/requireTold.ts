import type { Told } from "@vedette/workers";

/** What a reader told of a block. @throws TypeError where it cannot, now or ever: whoever follows events asks again */
export function requireTold<T>(told: Told<T> | undefined): T {
  if (told?.kind === "told") return told.value;
  throw new TypeError(told?.kind === "never" ? "the block was not executed here" : "the block is not executed yet");
}
