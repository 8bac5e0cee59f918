import type { Par } from "@vedette/terms";
import { FatalError } from "../evaluate/FatalError.js";
import type { ExternalServices } from "./ExternalServices.js";

/** A built-in process with an external result that is recorded. @spec 21 §7.4 */
export interface ExternalProcess {
  /**
   * Whether the answer is recorded even where what ran after it failed.
   *
   * Quirk 21 §7.4, §7.5: the Ollama processes record nothing then, so that such a block may not replay to the
   * same cost.
   */
  readonly recordsOutputOnFailure: boolean;
  /** Checks the arguments of a replayed call; most processes do not look at them. */
  checkReplayed(args: readonly Par[]): void;
  /** Calls the service; throws a {@link FatalError} for wrong arguments, anything else is a failed call. */
  call(args: readonly Par[], services: ExternalServices): readonly Par[];
}

/** The argument that `read` understands. @throws {FatalError} `matchError` */
export function required<T>(
  process: string,
  args: readonly Par[],
  index: number,
  read: (par: Par) => T | undefined,
): T {
  const value = read(args[index]!);
  if (value === undefined) throw new FatalError({ code: "matchError", process });
  return value;
}

/** Looks at nothing. */
export function unchecked(): void {
  // Quirk 21 §7.4: in replay the recorded output is given whatever the arguments are.
}
