import { errorClass } from "@vedette/errors";

/**
 * f1r3node's own code gave up: in a task that runs beside others this is an error of the program, else it ends
 * the node's attempt at the whole block, and no result of such a deploy exists.
 *
 * @spec 61 §6.1, §20.2
 */
export class Panic extends errorClass("Panic", sentence) {}

function sentence(failure: { readonly code: "panic"; readonly reason: string }): string {
  return failure.reason;
}

/** A {@link Panic} with its reason, for people. */
export function panic(reason: string): Panic {
  return new Panic({ code: "panic", reason });
}
