import { withoutPasswords } from "@vedette/errors";
import { plainText } from "@vedette/terminal";

/** Prints why a command failed: the message, and the cause; never a stack trace. */
export function printError(error: unknown): void {
  process.stderr.write(`${plainText(withoutPasswords(`vedette: ${describeError(error)}`))}\n`);
}

/** An error and its causes in one line. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const message = sentenceOfSystem(error) ?? error.message;
  if (error.cause === undefined) return message;
  const cause = describeError(error.cause);
  // Many sentences already contain their cause.
  if (message.includes(cause)) return message;
  const said = error.cause instanceof Error ? error.cause.message : "";
  return said !== "" && message.includes(said) ? message.replace(said, () => cause) : `${message} (${cause})`;
}

/** Sentences for the system's most common errors about a file that the user named. */
const systemSentences: Readonly<Record<string, string>> = {
  ENOENT: "is not there; check the path",
  ENOTDIR: "is not there: a part of the path is no directory",
  EISDIR: "is a directory, and a file is wanted",
  EACCES: "is not for this user to read or write; check its owner and mode",
  ENOSPC: "cannot be written: the disk is full",
  EDQUOT: "cannot be written: the quota of this user or directory is used up",
};

function sentenceOfSystem({ code, path }: NodeJS.ErrnoException): string | undefined {
  const sentence = code === undefined ? undefined : systemSentences[code];
  return sentence === undefined || path === undefined ? undefined : `${path} ${sentence} (${code})`;
}
