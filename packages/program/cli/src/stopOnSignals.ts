import { stopWithParent } from "@vedette/node/machine";
import { exitCodes } from "./exitCodes.js";

/** Ends the program at a signal of the user or the system. @param say prints the reason @spec 50 §6.4 */
export function stopOnSignals(say: (text: string) => void): {
  readonly signal: AbortSignal;
  readonly exitCode: () => number;
} {
  const controller = new AbortController();
  let code: number = exitCodes.success;
  const stop = (text: string, exitCode: number) => {
    say(`${text}, shutting down.`);
    code = exitCode;
    controller.abort();
  };
  process.once("SIGINT", () => stop("SIGINT received", exitCodes.interrupted));
  process.once("SIGTERM", () => stop("SIGTERM received", exitCodes.terminated));
  // Without its terminal a node in the foreground ends; elsewhere the signal has another meaning.
  if (process.stdout.isTTY) process.once("SIGHUP", () => stop("The terminal is gone", exitCodes.hungUp));
  stopWithParent(() => stop("The launcher of this node is gone", exitCodes.terminated));
  return { signal: controller.signal, exitCode: () => code };
}
