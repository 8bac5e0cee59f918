import { exitCodes } from "./exitCodes.js";

/**
 * Ends the program in a sentence where its answer cannot be written: the disk that it goes to is full, or so.
 *
 * Who reads a pipe no further, as `head` does, has what he wanted: that is told nobody.
 */
export function endOnOutputFailure(): void {
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") process.exit(process.exitCode ?? exitCodes.success);
    process.stderr.write(`vedette: The output cannot be written: ${reasonOf(error)}\n`);
    process.exit(exitCodes.failure);
  });
  // There is nobody left to tell.
  process.stderr.on("error", () => undefined);
}

function reasonOf(error: NodeJS.ErrnoException): string {
  const isFull = error.code === "ENOSPC" || error.code === "EDQUOT";
  return isFull ? "the disk is full; make room, then run the command again" : error.message;
}
