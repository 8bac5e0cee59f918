import { type JsonValue, printJson } from "@vedette/api";
import { ClientError, DeployError, TermError } from "@vedette/client";
import { ContextError } from "@vedette/config";
import { KeyFileError } from "@vedette/crypto";
import { withoutPasswords } from "@vedette/errors";
import { escapeControls, type Paint, plainText } from "@vedette/terminal";
import { exitCodes } from "../exitCodes.js";
import { CommandError } from "./CommandError.js";
import type { CommandHost } from "./CommandHost.js";

/** The result of a command: the same for people and for programs. */
export interface CommandAnswer {
  readonly text: string;
  readonly json: JsonValue;
  /** The text for a terminal, where that is another one; all that comes from elsewhere is plain in it. */
  readonly painted?: ((paint: Paint) => string) | undefined;
  /** Success unless the answer is no. */
  readonly exitCode?: number;
  /** All was printed while it came. */
  readonly isPrinted?: boolean;
}

/** Prints a command's answer, or why there is none, and sets the exit code. */
export async function answerWith(
  host: CommandHost,
  isJson: boolean,
  run: (signal: AbortSignal) => Promise<CommandAnswer | undefined>,
): Promise<void> {
  using interruption = host.interruption();
  try {
    const answer = await run(interruption.signal);
    if (answer !== undefined && answer.isPrinted !== true) printAnswer(host, isJson, answer);
    host.finish(answer?.exitCode ?? exitCodes.success);
  } catch (error) {
    host.finish(printFailure(host, isJson, error, interruption.signal.aborted));
  }
}

function printAnswer(host: CommandHost, isJson: boolean, { text, json, painted }: CommandAnswer): void {
  if (isJson) host.print(escapeControls(printJson(json)));
  else if (painted !== undefined && host.isTerminal) host.print(painted(host.paint));
  else if (text !== "") host.print(plainText(text));
}

/** @returns the exit code */
function printFailure(host: CommandHost, isJson: boolean, error: unknown, isInterrupted: boolean): number {
  const message = isInterrupted ? "Interrupted" : withoutPasswords(messageOf(error));
  const code = isInterrupted ? "cancelled" : codeOf(error);
  const reported = resultOfError(code);
  if (isJson) host.print(escapeControls(printJson({ error: { code, message, ...deployOf(error) }, ...reported })));
  else host.note(plainText(`vedette: ${message}`));
  if (isInterrupted) return exitCodes.interrupted;
  return reported.result === undefined ? exitCodes.failure : exitCodes[reported.result];
}

const readOnlyHint =
  "A node with a validator key runs no exploratory deploys: use an observer (-H, -p with its gRPC port)";

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const isRefused = error instanceof ClientError && error.failure.code === "refused";
  return isRefused && error.message.includes("only be executed on read-only")
    ? `${error.message}\n${readOnlyHint}`
    : error.message;
}

/** The id of a deploy that was accepted before the command failed; the user needs it to query the deploy. */
function deployOf(error: unknown): { readonly deployId?: string } {
  return error instanceof CommandError && error.failure.code === "unsettled"
    ? { deployId: error.failure.deployId }
    : {};
}

/** The known result of a deploy for which the wait failed. */
function resultOfError(code: string): { readonly result?: "notFinal" | "noEffect" } {
  if (code === "waitedTooLong") return { result: "notFinal" };
  return code === "deployRejected" || code === "deployExpired" ? { result: "noEffect" } : {};
}

function codeOf(error: unknown): string {
  if (error instanceof CommandError && error.failure.code === "unsettled") return codeOf(error.cause);
  const isKnown =
    error instanceof ClientError ||
    error instanceof CommandError ||
    error instanceof DeployError ||
    error instanceof TermError ||
    error instanceof ContextError ||
    error instanceof KeyFileError;
  return isKnown ? error.failure.code : "failed";
}
