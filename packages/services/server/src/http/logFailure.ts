import { type Log, linesOf } from "@vedette/config/log";
import { ApiError, Problem } from "@vedette/queries";

const { error } = linesOf("api");

/** Characters of a message, part of which may come from the client. */
const longestMessage = 500;

/**
 * Logs what rnode logs: exceptions, not refusals.
 *
 * @spec 50 §1.3
 */
export function logFailure(failure: unknown, log: Log | undefined): void {
  if (log === undefined || failure instanceof Problem) return;
  if (failure instanceof ApiError) {
    if (failure.kind !== "refusal") log(error(`HTTP API response error: ${printable(failure.message)}`));
    return;
  }
  const { statusCode } = failure as { readonly statusCode?: number };
  if (statusCode !== undefined && statusCode < 500) return;
  const { stack = "", message } = failure instanceof Error ? failure : { message: String(failure) };
  log(error(`HTTP API response error: ${printable(message)}`, ...stack.split("\n").slice(1).map(printable)));
}

/** A client's text cannot begin a line of its own. */
function printable(message: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  return message.slice(0, longestMessage).replaceAll(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, " ");
}
