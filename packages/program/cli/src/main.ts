// First, as all others take time to load.
import "./noInspector.js";
import { titleWithoutKey } from "./client/hideKeys.js";
import { exitCodes } from "./exitCodes.js";
import { optionsBehindCommand } from "./optionsBehindCommand.js";
import { printError } from "./printError.js";
import { withoutJavaArguments } from "./runOptions.js";
import { vedetteProgram } from "./vedetteProgram.js";

/** Without a command the program is an observer, or explains how to become one. */
function isWithoutCommand(args: readonly string[]): boolean {
  const [first] = args;
  return first === undefined || (first.startsWith("-") && !["-h", "--help", "--version"].includes(first));
}

endOnOutputFailure();
try {
  const program = vedetteProgram();
  const args = optionsBehindCommand(withoutJavaArguments(process.argv.slice(2)), program);
  const title = titleWithoutKey(args);
  // Setting it replaces the whole command line in the list of processes.
  if (title !== undefined) process.title = title;
  await program.parseAsync(isWithoutCommand(args) ? ["run", ...args] : args, { from: "user" });
} catch (error) {
  // Commander has printed help and usage errors itself; its exit code is 0 for help and version.
  if (error instanceof Error && "exitCode" in error && "code" in error) process.exitCode = Number(error.exitCode);
  else {
    printError(error);
    process.exitCode = exitCodes.failure;
  }
}

/**
 * Ends the program with a sentence when its output cannot be written, for example to a full disk.
 *
 * A reader that closes the pipe early, as `head` does, has what it needs: the program then ends without a message.
 */
function endOnOutputFailure(): void {
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") process.exit(process.exitCode ?? exitCodes.success);
    process.stderr.write(`vedette: The output cannot be written: ${reasonOf(error)}\n`);
    process.exit(exitCodes.failure);
  });
  // No output is left to write the reason to.
  process.stderr.on("error", () => undefined);
}

function reasonOf(error: NodeJS.ErrnoException): string {
  const isFull = error.code === "ENOSPC" || error.code === "EDQUOT";
  return isFull ? "the disk is full; make room, then run the command again" : error.message;
}
