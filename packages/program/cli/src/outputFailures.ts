import { exitCodes } from "./exitCodes.js";

/**
 * Ends the program with a sentence when its output cannot be written, for example to a full disk.
 *
 * A reader that closes the pipe early, as `head` does, has what it needs: the program then ends without a message.
 */
export function endOnOutputFailure(): void {
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
