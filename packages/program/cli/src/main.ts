// First, as all others take time to load.
import "./noInspector.js";
import { titleWithoutKey } from "./client/hideKeys.js";
import { exitCodes } from "./exitCodes.js";
import { optionsBehindCommand } from "./optionsBehindCommand.js";
import { endOnOutputFailure } from "./outputFailures.js";
import { printError } from "./printError.js";
import { withoutJavaArguments } from "./runOptions.js";
import { vedetteProgram } from "./vedetteProgram.js";

/** Without a command the program is an observer, or says how to become one. */
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
