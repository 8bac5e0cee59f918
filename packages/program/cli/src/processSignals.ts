import { info, type Log, type LogLevels, warn } from "@vedette/config/log";
import { errorText } from "@vedette/errors";
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

/** The parts that the signals act on. */
interface LogSignals {
  readonly levels: LogLevels;
  readonly log: Log;
  /** Reads the configuration anew. @throws {ConfigError} */
  readonly readLevel: () => string;
}

/**
 * Changes the levels of the log while the node runs: SIGHUP reads them from the configuration again. SIGUSR2 logs
 * everything until the next SIGUSR2. A closed terminal also sends SIGHUP; the node then ends.
 *
 * @spec 50 §6.3
 */
export function changeLevelsOnSignals({ levels, log, readLevel }: LogSignals): void {
  const reload = () => {
    try {
      const level = readLevel();
      levels.change(level);
      log(warn(`SIGHUP received: the log level is ${level}.`));
    } catch (error) {
      // The program continues unchanged, even if the file has become invalid.
      log(warn(`SIGHUP received, but the log level stays: ${errorText(error)}`));
    }
  };
  if (!process.stdout.isTTY) process.on("SIGHUP", reload);
  process.on("SIGUSR2", () => {
    const isDebugging = levels.toggleDebug();
    log(info(`SIGUSR2 received: ${isDebugging ? "everything is logged" : "the log level is as before"}.`));
  });
}
