/** What a user sees when a command cannot be carried out: the message, and why; never a stack trace. */
export function printError(error: unknown): void {
  process.stderr.write(`vedette: ${describeError(error)}\n`);
}

/** An error and its causes in one line. */
function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause === undefined ? "" : describeError(error.cause);
  // Many sentences say already what their cause says.
  return cause === "" || error.message.includes(cause) ? error.message : `${error.message} (${cause})`;
}
